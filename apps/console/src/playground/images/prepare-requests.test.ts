import { expect, test } from "vitest";
import { type ImageModel, modelsOf, pricesOf, settingsOf } from "./prepare-requests.js";
import type { Draft } from "./results/image-session.js";

const image = { sizes: ["auto"], qualities: ["auto", "high"], backgrounds: [], output_formats: [] };
const model = (id: string, usd?: number) =>
  ({
    id,
    image: { ...image, edits: true, mask: false, response_formats: ["b64_json"] },
    targets:
      usd === undefined
        ? undefined
        : [{ tier: 1, pricing: [{ billable: "output_image", unit: "image", usd, per: 1 }] }],
  }) as unknown as ImageModel;
const [fox, owl, cat] = [model("fox", 0.04), model("owl"), model("cat")];
const draft: Draft = {
  prompts: ["one", " two "],
  models: ["fox", "owl"],
  chosen: { quality: "high" },
  wantsPartials: true,
  source: undefined,
  strokes: [],
};

test("the prompts of a model are neighbours, and each request has its price", () => {
  const settings = settingsOf({ draft, models: [fox, owl], image: fox.image });

  expect(settings.map(({ model, prompt }) => [model, prompt])).toEqual([
    ["fox", "one"],
    ["fox", "two"],
    ["owl", "one"],
    ["owl", "two"],
  ]);
  expect(settings[0]?.sent).toEqual({ quality: "high" });
  expect(pricesOf(settings, [fox, owl]).map((price) => price?.usd)).toEqual([
    0.04,
    0.04,
    undefined,
    undefined,
  ]);
});

test("a mask is left out for models that take none", () => {
  const source = { blob: new Blob(), url: "", width: 1, height: 1 };
  const strokes = [{ kind: "rectangle", from: { x: 0, y: 0 }, to: { x: 1, y: 1 } }] as const;

  const [first] = settingsOf({ draft: { ...draft, source, strokes }, models: [fox], image: fox.image });

  expect(first?.edit).toEqual({ source, strokes: [] });
});

test("the chosen models stay, unless a link names another one", () => {
  const idsFor = (wanted: string | null, first: ImageModel) =>
    modelsOf(draft, [fox, owl, cat], { wanted, first }).map(({ id }) => id);

  expect(idsFor(null, cat)).toEqual(["fox", "owl"]);
  expect(idsFor("fox", fox)).toEqual(["fox", "owl"]);
  expect(idsFor("cat", cat)).toEqual(["cat"]);
});
