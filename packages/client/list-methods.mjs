/** Writes the list of methods, which the spec generates, between the marks in the README. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const readme = new URL("README.md", import.meta.url);
const list = fileURLToPath(import.meta.resolve("@model-gateway/spec/client-methods.md"));
const [begin, end] = ["<!-- methods -->\n\n", "\n<!-- end of methods -->"];

const text = await readFile(readme, "utf8");
const [before, after] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
if (before < begin.length || after < before)
  throw new Error("README.md has no marks around its list of methods.");
await writeFile(readme, text.slice(0, before) + (await readFile(list, "utf8")) + text.slice(after));
