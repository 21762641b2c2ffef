import { expect, test } from "vitest";
import { offerModels, settleIds, writeModels } from "./model-choices.js";

const provider = {
  model_types: ["embedding", "image"],
  example_models: { embedding: ["small"], image: ["painter"] },
} satisfies Parameters<typeof offerModels>[0]["provider"];
const sources = { provider, upstream: "up", listed: null, choices: {}, takenIds: new Set<string>() };

test("without a list of the upstream, the examples of its provider are offered with their types", () => {
  const offered = offerModels(sources);

  expect(offered.map(({ name, type, isTypeKnown }) => [name, type, isTypeKnown])).toEqual([
    ["small", "embedding", true],
    ["painter", "image", true],
  ]);
});

test("a list replaces the examples, begins with what the gateway can serve, and leaves the type to choose", () => {
  const offered = offerModels({ ...sources, listed: ["chat", "big-embed", "flux-image", "small"] });

  expect(offered.map(({ name, type, isTypeKnown }) => [name, type, isTypeKnown])).toEqual([
    ["small", "embedding", true],
    ["big-embed", "embedding", false],
    ["flux-image", "image", false],
    ["chat", undefined, false],
  ]);
  expect(offered.filter(({ isTypeGuessed }) => isTypeGuessed).map(({ name }) => name)).toEqual([
    "big-embed",
    "flux-image",
  ]);
});

test("an id that is taken gets the name of the upstream in front", () => {
  const [small] = offerModels({ ...sources, takenIds: new Set(["small"]) });

  expect(small?.id).toBe("up/small");
});

test("ticked models become entries, with the width that a trial found unless the gateway knows it", () => {
  const choices = {
    small: { isTicked: true, dimensions: 8 },
    mine: { isTicked: true, type: "embedding" as const, id: " my-id ", dimensions: 16, price: " 0.02 " },
    painter: { isTicked: true, price: "0.04" },
    other: { isTicked: false },
  };

  expect(writeModels(offerModels({ ...sources, choices }), sources)).toEqual({
    small: { type: "embedding", targets: [{ upstream: "up", model: "small" }] },
    painter: { type: "image", price: { perImage: 0.04 }, targets: [{ upstream: "up", model: "painter" }] },
    "my-id": {
      type: "embedding",
      price: { perMillionTokens: 0.02 },
      dimensions: 16,
      targets: [{ upstream: "up", model: "mine" }],
    },
  });
});

test("a settled id stays when the configuration has it", () => {
  const choices = { small: { isTicked: true } };

  const settled = settleIds(choices, offerModels({ ...sources, choices }));

  const [small] = offerModels({ ...sources, choices: settled, takenIds: new Set(["small"]) });
  expect(small?.id).toBe("small");
});
