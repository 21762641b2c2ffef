/** Puts the generated types in the place of `dist/spec.d.ts`: the package they come from is not published. */
import { copyFile } from "node:fs/promises";

const generated = new URL("../../spec/generated/types.d.ts", import.meta.url);
await copyFile(generated, new URL("dist/spec.d.ts", import.meta.url));
