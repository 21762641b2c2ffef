import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import type { Handlers } from "../execution/handler.js";
import { operationsOf, readSpec } from "../execution/validation/spec.js";
import { createHandlers } from "./operations/handlers.js";

const operationIds = operationsOf(readSpec())
  .map(({ id }) => id)
  .sort();

test("every operation of the spec has a handler, and the compiler checks it", () => {
  const handlers = createHandlers({
    images: {},
    admin: { fileKeys: [] as readonly unknown[] },
  } as Parameters<typeof createHandlers>[0]);
  const { listModels: _listModels, ...incomplete } = handlers;
  // @ts-expect-error A table without one of the operations does not compile.
  const rejected: Handlers = incomplete;

  expect(rejected).not.toHaveProperty("listModels");
  expect(Object.keys(handlers).sort()).toEqual(operationIds);
});

test("every operation has a file of its name; those at the paths of another API share one for each API", () => {
  const names = filesIn("operations").map((path) => path.split("/").at(-1));
  const own = operationIds.filter((id) => !/Azure|Ollama|Cohere|Voyage|Async/.test(id));

  expect(names.sort()).toEqual(
    [...own, "async-images", "azure", "cohere", "handlers", "ollama", "voyage"].sort(),
  );
});

test("every document has the name of a schema in the spec", () => {
  const names = filesIn("documents").filter((name) => name !== "ledger-query");

  const { components } = createRequire(import.meta.url)("@model-gateway/spec/openapi.json");
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(names));
});

/** The source files in a folder and below it, without their extension. */
function filesIn(folder: string): string[] {
  const paths = readdirSync(new URL(`${folder}/`, import.meta.url), { recursive: true, encoding: "utf8" });
  const sources = paths.filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
  return sources.map((path) => path.replace(/\.ts$/, "")).sort();
}
