/**
 * Copies files from unpublished packages into `dist`, so that the client depends on published packages only. Also
 * copies the types for CommonJS, which the compiler does not.
 */
import { copyFile } from "node:fs/promises";

const copies = {
  "dist/commonjs.d.cts": "src/commonjs.d.cts",
  "dist/spec.d.ts": "../../spec/generated/types.d.ts",
};
for (const [copy, source] of Object.entries(copies)) {
  await copyFile(new URL(source, import.meta.url), new URL(copy, import.meta.url));
}
