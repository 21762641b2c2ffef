import type { EmbeddingModel, EmbeddingTarget, Model } from "@model-gateway/domain/model";
import { expect, test } from "vitest";
import { spaceDigest } from "../embeddings/space.js";
import { recordedSpaceOf, targetsToCheck, withAcceptedRevisions } from "./checked-targets.js";

const target = (upstream: string) => ({ upstream, model: "m" }) as EmbeddingTarget;
const model = (id: string, more: Partial<EmbeddingModel> = {}) =>
  ({
    type: "embedding",
    id,
    space: "s",
    unitVectors: true,
    targets: [target("a")],
    ...more,
  }) as EmbeddingModel;
const byId = (...models: Model[]) => new Map(models.map((one) => [one.id, one]));

test("each target is checked once a space, with the input type of the space's first model", () => {
  const models = [
    model("one", { inputType: "document", targets: [target("a"), target("b")] }),
    model("two", { inputType: "query", targets: [target("b"), target("c")] }),
    model("elsewhere", { space: "other" }),
    model("any-*", { space: "pattern" }),
    { type: "image", id: "image", targets: [target("a")] } as unknown as Model,
  ];

  const checked = targetsToCheck(models).map(({ upstream, inputType, asks }) => [
    upstream,
    inputType,
    asks.model.id,
  ]);

  expect(checked).toEqual([
    ["a", "document", "one"],
    ["b", "document", "one"],
    ["c", "document", "two"],
    ["a", "", "elsewhere"],
  ]);
});

test("an accepted revision changes the id of the space, but not the id under which vectors are recorded", () => {
  const plain = model("plain");
  const revised = model("revised", { space: "other", revision: "2" });
  const untouched = model("untouched", { space: "third" });
  const accepted = new Map([
    [spaceDigest(plain), 1],
    [spaceDigest(revised), 3],
  ]);

  const models = withAcceptedRevisions(byId(plain, revised, untouched), accepted);

  const found = [...models.values()] as EmbeddingModel[];
  expect(found.map(({ revision }) => revision)).toEqual(["accepted-1", "2+accepted-3", undefined]);
  expect(found.map(recordedSpaceOf)).toEqual([plain, revised, untouched].map(spaceDigest));
  expect(new Set([...found, plain, revised].map(spaceDigest)).size).toBe(5);
  expect(models.get("untouched")).toBe(untouched);
});
