import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { consumerOptions, typeCheck } from "./type-check.js";

const packageFolder = join(import.meta.dirname, "..");
const readme = await readFile(join(packageFolder, "README.md"), "utf8");
const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);

test("every snippet of the README compiles", async () => {
  const folder = await mkdtemp(join(tmpdir(), "model-gateway-readme-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const names = snippets.map((_, index) => `snippet-${index + 1}.ts`);
  await Promise.all(snippets.map((code, index) => writeFile(join(folder, names[index]!), code)));
  const source = join(packageFolder, "src/index.ts");
  const compilerOptions = { ...consumerOptions, noEmit: true, paths: { "@model-gateway/client": [source] } };
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: names }));

  const errors = await typeCheck(folder);

  expect(snippets.length).toBeGreaterThan(8);
  expect(errors).toEqual([]);
});

test("the README lists the methods of the spec", async () => {
  const list = createRequire(import.meta.url).resolve("@model-gateway/spec/client-methods.md");

  expect(readme.includes(await readFile(list, "utf8")), "run `npm run build`").toBe(true);
});
