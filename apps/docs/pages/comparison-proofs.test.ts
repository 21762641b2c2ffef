import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkProofs, comparisonRows } from "./comparison-proofs.js";
import type { ComparisonRow, Proof } from "./comparison-rows.js";

const apps = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const places = { apps, apiPaths: ["/v1/embeddings", "/v1/batches"] };

function row(proof: Proof): ComparisonRow {
  const mark = { mark: "yes" } as const;
  return { what: "A feature", cells: [mark, mark, mark, mark, mark], evidence: "", proof };
}

test("every row of the comparison has a proof", () => {
  expect(() => checkProofs(comparisonRows, places)).not.toThrow();
});

test.each([
  [{ test: "gateway/test/gone.test.ts" }, "there is no gateway/test/gone.test.ts"],
  [{ page: "guides/gone.md#here" }, "there is no guides/gone.md"],
  [{ page: "guides/batches.md#gone" }, "guides/batches.md has no heading #gone"],
  [{ lacksPath: "/v1/batches" }, "the API has /v1/batches"],
] as const)("the build ends where a proof is gone: %j", (proof, fault) => {
  expect(() => checkProofs([row(proof)], places)).toThrow(`A feature: ${fault}`);
});

test("the comparison says yes to batches, jobs, images in embeddings and int8", () => {
  const marks = new Map(comparisonRows.map(({ what, cells: [own] }) => [what, own.mark]));

  expect(
    [
      "Batch API",
      "Jobs that a caller collects later",
      "Images as inputs of embeddings",
      "int8 and binary vectors",
    ].map((what) => marks.get(what)),
  ).toEqual(["yes", "yes", "yes", "yes"]);
});
