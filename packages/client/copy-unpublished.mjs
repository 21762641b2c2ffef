/**
 * Copies files from unpublished packages into `dist`, so that the client depends on published packages only. Also
 * copies the types for CommonJS, which the compiler does not.
 */
import { copyFile, readFile, writeFile } from "node:fs/promises";

const inPackage = (path) => new URL(path, import.meta.url);

const copies = {
  "dist/commonjs.d.cts": "src/commonjs.d.cts",
  "dist/types.d.ts": "../../spec/generated/types.d.ts",
  "dist/client-methods.js": "../../spec/generated/client-methods.js",
  "dist/client-methods.d.ts": "../../spec/generated/client-methods.d.ts",
};
for (const [copy, source] of Object.entries(copies)) await copyFile(inPackage(source), inPackage(copy));

for (const file of ["dist/spec.js", "dist/spec.d.ts"]) {
  const text = await readFile(inPackage(file), "utf8");
  const local = text
    .replace('"@model-gateway/spec/client-methods"', '"./client-methods.js"')
    .replace('"@model-gateway/spec"', '"./types.js"');
  await writeFile(inPackage(file), local);
}
