/** Copies files of unpublished packages into `dist`, so that the client depends on published packages only. */
import { copyFile } from "node:fs/promises";

const copies = {
  "dist/spec.d.ts": "../../spec/generated/types.d.ts",
  "dist/sse.js": "../sse/dist/index.js",
  "dist/sse.d.ts": "../sse/dist/index.d.ts",
};
for (const [copy, source] of Object.entries(copies)) {
  await copyFile(new URL(source, import.meta.url), new URL(copy, import.meta.url));
}
