import { expect, test } from "vitest";
import { emptyModel, faultsOfModel, fillModel, readModel, writeModel } from "./model-draft.js";
import { suggestSpace } from "./target-space.js";

const provider = {
  model_types: ["embedding", "image"],
  example_models: { embedding: ["small"], image: ["painter"] },
} satisfies Parameters<typeof fillModel>[0]["provider"];
const configuration = { models: { small: {} } };

const present = {
  type: "embedding",
  cache: false,
  dimensions: 8,
  targets: [{ upstream: "a", model: "one", tier: 2 }],
  aliases: ["old"],
};

test("a changed model keeps the keys that the form does not show, in their order", () => {
  const draft = { ...readModel(present), dimensions: "16" };
  const form = fillModel({ draft, changed: "m", provider, configuration });

  expect(JSON.stringify(writeModel(form, present))).toBe(JSON.stringify({ ...present, dimensions: 16 }));
});

test("a cleared width is left out", () => {
  const draft = { ...readModel(present), dimensions: "" };
  const form = fillModel({ draft, changed: "m", provider, configuration });

  expect(Object.keys(writeModel(form, present))).toEqual(["type", "cache", "targets", "aliases"]);
});

test("a price is written, and one of several parts stays as it is", () => {
  const formOf = (entry: typeof present & { price?: unknown }, price?: string) => {
    const draft = { ...readModel(entry), ...(price !== undefined && { price }) };
    return fillModel({ draft, changed: "m", provider, configuration });
  };
  const byTokens = { ...present, price: { perMillionInputTokens: 5, perMillionOutputTokens: 30 } };

  expect(writeModel(formOf(present, "0.02"), present)).toEqual({
    ...present,
    price: { perMillionTokens: 0.02 },
  });
  expect(writeModel(formOf(byTokens), byTokens)).toEqual(byTokens);
  expect(faultsOfModel(formOf(present, "cheap"), {})).toEqual({
    price: "Enter an amount in US dollars, such as 0.02.",
  });
});

test("a fallback is written and cleared, and belongs to image models alone", () => {
  const image = { ...present, type: "image", fallback: "other" };
  const written = (entry: typeof present, change: object = {}) =>
    writeModel(
      fillModel({ draft: { ...readModel(entry), ...change }, changed: "m", provider, configuration }),
      entry,
    );

  expect(written(image).fallback).toBe("other");
  expect(written(image, { fallback: "third" }).fallback).toBe("third");
  expect(written(image, { fallback: "" })).not.toHaveProperty("fallback");
  expect(written(present, { fallback: "other" })).not.toHaveProperty("fallback");
});

test("a new model takes its id and type from the name at the upstream", () => {
  const draft = emptyModel({ upstream: "b", model: "painter" });

  const form = fillModel({ draft, changed: undefined, provider, configuration });

  expect([form.id, form.type, form.isTypeKnown]).toEqual(["painter", "image", true]);
  expect(writeModel(form)).toEqual({ type: "image", targets: [{ upstream: "b", model: "painter" }] });
});

test.each([
  ["wide-embed", "embedding", true],
  ["flux-dev", "image", true],
  ["my-model", undefined, false],
])("the type of %s is %s", (name, type, isTypeGuessed) => {
  const draft = emptyModel({ upstream: "b", model: name });
  const formOf = (more: object) =>
    fillModel({ draft: { ...draft, ...more }, changed: undefined, provider, configuration });

  expect(formOf({})).toMatchObject({ type, isTypeGuessed, isTypeKnown: false });
  expect(formOf({ type: "image" })).toMatchObject({ type: "image", isTypeGuessed: false });
});

test("targets with different names need a space, which all of them get in its place", () => {
  const spaced = {
    ...present,
    targets: [
      { upstream: "a", model: "one", space: "mine", tier: 2 },
      { upstream: "b", model: "two", space: "mine" },
    ],
  };
  const formOf = (space: string) =>
    fillModel({ draft: { ...readModel(spaced), space }, changed: "m", provider, configuration });

  expect(readModel(spaced).space).toBe("mine");
  expect(JSON.stringify(writeModel(formOf("mine"), spaced))).toBe(JSON.stringify(spaced));
  expect(JSON.stringify(writeModel(formOf(" other "), spaced))).toBe(
    JSON.stringify(spaced).replaceAll("mine", "other"),
  );
  expect(faultsOfModel(formOf("mine"), {})).toEqual({});
  expect(faultsOfModel(formOf(" "), {})).toEqual({
    space: "The targets have different names, so their vector space needs one.",
  });
  expect(writeModel(formOf(""), spaced).targets).toEqual([
    { upstream: "a", model: "one", tier: 2 },
    { upstream: "b", model: "two" },
  ]);
});

test("the suggested space is the one that the model has now", () => {
  const targets = [
    { model: " new ", others: {} },
    { model: "b", others: {} },
  ];

  expect(suggestSpace(targets, undefined)).toBe("new");
  expect(suggestSpace(targets, present)).toBe("one@8");
  expect(suggestSpace(targets, { targets: [{ model: "one" }] })).toBe("one@any");
  expect(suggestSpace(targets, { targets: [{ model: "one", space: "mine" }] })).toBe("mine");
});

test("an id that is taken gets the name of the upstream in front", () => {
  const draft = emptyModel({ upstream: "b", model: "small" });

  expect(fillModel({ draft, changed: undefined, provider, configuration }).id).toBe("b/small");
});

test("faults are sentences at their fields", () => {
  const form = fillModel({
    draft: { ...emptyModel({}), id: "small", dimensions: "wide" },
    changed: undefined,
    provider,
    configuration,
  });

  expect(faultsOfModel(form, configuration.models)).toEqual({
    "upstream 0": "Choose an upstream.",
    "model 0": "The name is required.",
    id: "There is a model small already.",
    type: "Choose what the model makes.",
    dimensions: "Enter a whole number from 1 to 65536.",
  });
});
