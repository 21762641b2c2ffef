/** Builds the reference site into `dist/`, or into the folder given as an argument: static files that need no network. */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { addPages } from "./add-pages.js";
import { readPage, readPages } from "./read-pages.js";
import { renderScript } from "./render-script.js";

const here = path.dirname(fileURLToPath(import.meta.url));
const spec = createRequire(import.meta.url).resolve("@model-gateway/spec/openapi.json");
const out = path.resolve(process.argv[2] ?? path.join(here, "dist"));

const document = JSON.parse(await readFile(spec, "utf8"));
const guides = [
  ...(await readPages(path.join(here, "guides"))),
  await readPage(path.join(here, "benchmarks.md")),
];
const decisions = await readPages(path.join(here, "decisions"));
const script = await renderScript(addPages(document, { guides, decisions }));

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await writeFile(path.join(out, "site.js"), script);
await cp(spec, path.join(out, "openapi.json"));
for (const file of ["index.html", "theme.css", "icon.svg", "benchmarks.svg"]) {
  await cp(path.join(here, file), path.join(out, file));
}
await cp(path.join(here, "guides/images"), path.join(out, "images"), { recursive: true });
