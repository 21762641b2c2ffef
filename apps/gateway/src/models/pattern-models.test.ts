import type { EmbeddingModel, Model } from "@model-gateway/domain/model";
import { expect, test } from "vitest";
import { derivedMax, PatternModels } from "./pattern-models.js";

const template = (id: string, model = "*", space = "*@8"): EmbeddingModel => ({
  id,
  type: "embedding",
  strategy: "fastest",
  deadlineMs: 1000,
  space,
  unitVectors: true,
  dimensions: 8,
  matryoshka: false,
  maxInputs: 10,
  targets: [
    {
      upstream: "one",
      model,
      weight: 1,
      tier: 1,
      capacity: {},
      maxInputs: 10,
      maxTokensPerRequest: 100,
      maxCharactersPerRequest: Number.POSITIVE_INFINITY,
      takesUser: true,
      normalizes: false,
      dimensions: "pass",
    },
  ],
});

function open(...patterns: Model[]) {
  const forgotten: string[] = [];
  const models = new PatternModels({
    patterns,
    factsOf: ({ model }) => ({ price: { perMillionTokens: model.length }, isListPrice: true }),
    onForgotten: ({ id }) => forgotten.push(id),
  });
  return { models, forgotten };
}

test("an id that fits is a separate model, with its text in the place of each star", () => {
  const { models } = open(template("openai/*", "text-*-3"));

  expect(models.find("openai/small")).toMatchObject({
    id: "openai/small",
    pattern: "openai/*",
    space: "small@8",
    targets: [{ upstream: "one", model: "text-small-3", price: { perMillionTokens: 12 } }],
  });
  expect(models.find("openai/small")).toBe(models.find("openai/small"));
});

test.each(["openai/", "openai", "other/small", "openai/*", "openai/a*b"])("%s fits no pattern", (id) => {
  expect(open(template("openai/*")).models.find(id)).toBeUndefined();
});

test.each(["..", ".", "\0", "a\r\nb", "\ud800", "a\udfffb"])(
  "a caller cannot put %j into the URL of an upstream",
  (text) => {
    expect(open(template("openai/*")).models.find(`openai/${text}`)).toBeUndefined();
  },
);

test("dots and letters of any script are names", () => {
  const { models } = open(template("openai/*"));

  for (const name of ["...", "v1.5", "../x", "größe", "模型", "😀"])
    expect(models.find(`openai/${name}`)).toMatchObject({ targets: [{ model: name }] });
});

test("the longest pattern that fits is used, whatever their order", () => {
  const { models } = open(template("*"), template("openai/text-*"), template("openai/*"));

  expect(models.find("openai/text-x")?.pattern).toBe("openai/text-*");
  expect(models.find("openai/image")?.pattern).toBe("openai/*");
  expect(models.find("anything")?.pattern).toBe("*");
});

test("models behind a pattern never share a vector space, even with a declared one", () => {
  const { models } = open(template("*", "*", "declared"));
  const spaceOf = (id: string) => (models.find(id) as EmbeddingModel).space;

  expect(spaceOf("a")).not.toBe(spaceOf("b"));
});

test("a text with a dollar sign is taken as it is", () => {
  expect(open(template("*")).models.find("$&")?.targets[0].model).toBe("$&");
});

test("the least recently used model is forgotten when there are too many", () => {
  const { models, forgotten } = open(template("*"));
  for (let index = 0; index < derivedMax; index += 1) models.find(`m${index}`);
  models.find("m0");

  models.find("one more");

  expect(forgotten).toEqual(["m1"]);
});
