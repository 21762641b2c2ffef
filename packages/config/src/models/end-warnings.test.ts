import { expect, test } from "vitest";
import { load } from "../test/load-text.js";
import { endWarnings } from "./end-warnings.js";

const { models } = load(`
upstreams:
  openai: { provider: openai, apiKey: k }
  azure: { provider: azure, baseUrl: "https://mine.openai.azure.com", apiKey: k }
models:
  ending: { type: image, targets: [{ upstream: openai, model: gpt-image-1.5 }] }
  half: { type: image, profile: gpt-image, targets: [{ upstream: openai, model: gpt-image-1.5 }, { upstream: azure, model: mine }] }
  own: { type: image, shutdownDate: 2026-11-20, targets: [{ upstream: openai, model: gpt-image-2 }] }
  lasting: { type: image, targets: [{ upstream: openai, model: gpt-image-2 }] }
`);

test("each target that ends is named with its successor, and so is a model that the operator ends", () => {
  const inDays = (day: string) => endWarnings(models.values(), Date.parse(day));
  const target = 'gpt-image-1.5 at "openai", which shuts down on 2026-12-01, in 14 days';

  expect(inDays("2026-11-17")).toEqual([
    `The model "ending" calls ${target}; the vendor recommends gpt-image-2.5-sunburst.`,
    `The model "half" calls ${target}; the vendor recommends gpt-image-2.5-sunburst.`,
    'The model "own" shuts down on 2026-11-20, in 3 days.',
  ]);
  expect(inDays("2026-09-01")).toEqual([]);
});

test("a model ends with its last target, or when the operator says", () => {
  const ends = [...models.values()].map(({ id, end }) => [id, end?.shutdownOn]);

  expect(Object.fromEntries(ends)).toEqual({
    ending: "2026-12-01",
    half: undefined,
    own: "2026-11-20",
    lasting: undefined,
  });
});
