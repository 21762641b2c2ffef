import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { consumerOptions, typeCheck } from "../test/type-check.js";

const specTypes = join(import.meta.dirname, "../../../spec/generated/types.d.ts");

test("the client compiles against the spec as it is", async () => {
  expect(await compileWith("export {};")).toEqual([]);
});

test("an operation of the spec that the client lacks does not compile", async () => {
  const errors = await compileWith(`
    import type { errorCodes as codes, operations as known } from "@model-gateway/spec";
    declare module "@model-gateway/spec" {
      interface operations { deleteModel: known["retrieveModel"] }
      interface errorCodes { deleteModel: codes["retrieveModel"] }
    }`);

  expect(errors.filter((text) => text.includes("deleteModel")).join("\n")).toContain("create-client.ts");
});

test("the program that uses every operation leaves out none", async () => {
  const program = await readFile(join(import.meta.dirname, "../test/consumer/every-operation.ts"), "utf8");
  const types = await readFile(specTypes, "utf8");
  const [, table = ""] = /^export interface operations \{\n([\s\S]*?)^\}/m.exec(types) ?? [];
  const operations = [...table.matchAll(/^ {4}(\w+): \{/gm)].map(([, id = ""]) => id);
  const ofOthers = /Azure|Ollama|Cohere|Voyage|Async/;

  const unused = operations.filter((id) => !ofOthers.test(id) && !new RegExp(`\\b${id}\\(`).test(program));

  expect(operations).toContain("createEmbedding");
  expect(unused, "call each in packages/client/test/consumer/every-operation.ts").toEqual([]);
});

async function compileWith(augmentation: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "model-gateway-spec-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const compilerOptions = { ...consumerOptions, noEmit: true, paths: { "@model-gateway/spec": [specTypes] } };
  const files = ["augmentation.ts", join(import.meta.dirname, "index.ts")];
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "augmentation.ts"), augmentation);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  return (await typeCheck(folder)).map(({ text }) => text);
}
