import type { ShownModel } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import type { Sample } from "../../parts/code-sample.js";
import type { Fact } from "../../parts/facts.js";
import { formatCount, formatUsd } from "../../parts/format.js";
import { modelKinds } from "./model-kinds.js";

/** The model's facts, as pairs of a label and a value. */
export function describeModel(model: ShownModel): readonly Fact[] {
  const { type, aliases, shadow, pricing, shutdownDate } = model;
  return [
    ...modelKinds[type].facts(model),
    ...(aliases.length > 0 ? ([["Also called", aliases.join(", ")]] as const) : []),
    ...(pricing ? ([["Price", listPrices(pricing).join("; ")]] as const) : []),
    ...(shutdownDate ? ([["Shuts down", shutdownDate]] as const) : []),
    ...(shadow ? ([["Next model", describeShadow(shadow)]] as const) : []),
  ];
}

/** The fill level of the next model's cache, and the share of neighbourhoods it keeps. */
function describeShadow(shadow: Schemas["ModelShadow"]): string {
  const { model, percent, embedded, compared, neighbours_kept, dropped, failed } = shadow;
  const share = Math.round((100 * neighbours_kept) / compared);
  return [
    `${model}, ${percent} % of inputs`,
    `${formatCount(embedded)} embedded`,
    compared > 0 && `${share} % keep their nearest neighbour`,
    dropped > 0 && `${formatCount(dropped)} left out`,
    failed > 0 && `${formatCount(failed)} failed`,
  ]
    .filter(Boolean)
    .join("; ");
}

/** Prices in a few words: those of the output, or else of the input. */
export function describePrice(rates: Schemas["Model"]["pricing"]): string {
  if (rates === null || rates.length === 0) return "not known";
  if (rates.every(({ usd }) => usd === 0)) return "free";
  const created = rates.filter(({ billable }) => billable === "output_image");
  const [first] = created.length > 0 ? created : rates;
  if (first === undefined) return "not known";
  const amounts = rates
    .filter(({ billable, unit }) => billable === first.billable && unit === first.unit)
    .map(({ usd }) => usd);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const amount = least === most ? formatUsd(least) : `${formatUsd(least)} to ${formatUsd(most)}`;
  if (first.unit !== "token") return `${amount} / ${first.unit}`;
  return `${amount} / 1M${created.length > 0 ? " out" : ""}`;
}

/** Each price in words, such as `output image, 1024x1024, high: $0.17 / image`. */
export function listPrices(rates: NonNullable<Schemas["Model"]["pricing"]>): string[] {
  return rates.map(({ billable, unit, usd, per, variant = {} }) => {
    const { size, quality, cached, megapixel } = variant;
    const what = [
      billable.replace("_", " "),
      cached && "cached",
      size,
      quality,
      megapixel && `${megapixel} megapixel`,
    ];
    const units = per === 1 ? unit : `${formatCount(per)} ${unit}s`;
    return `${what.filter(Boolean).join(", ")}: ${formatUsd(usd)} / ${units}`;
  });
}

/** The samples of the reference name this address. */
const sampleAddress = "http://127.0.0.1:8080";

/** A text in the samples of embeddings, and an input with an image. Both mean the same in all languages. */
const sampleText = '"A kitten rests on a rug."';
const sampleContent =
  '{"content": [{"type": "image_url", "image_url": {"url": "https://example.com/kitten.jpg"}}]}';

/** The reference's samples, with the model id and this gateway's address filled in. */
export function samplesFor(
  { id, type, embedding }: Pick<ShownModel, "id" | "type"> & Partial<Pick<ShownModel, "embedding">>,
  root: string,
): Sample[] {
  const { model: sampleModel, texts } = modelKinds[type].samples;
  const second = embedding?.input_images ? sampleContent : sampleText;
  return Object.entries(texts).map(([language, text]) => ({
    language,
    code: text.trim().replaceAll(sampleAddress, root).replace(sampleText, second).replaceAll(sampleModel, id),
  }));
}
