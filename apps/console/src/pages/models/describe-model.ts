import type { ShownModel } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import type { Fact } from "../../parts/facts.js";
import { formatCount, formatUsd } from "../../parts/format.js";

/** What a model makes and takes, as pairs of a word and its value. */
export function describeModel({ embedding, image, aliases, shadow }: ShownModel): readonly Fact[] {
  return [
    ...(embedding ? describeEmbedding(embedding) : []),
    ...(image ? describeImage(image) : []),
    ...(aliases.length > 0 ? ([["Also called", aliases.join(", ")]] as const) : []),
    ...(shadow ? ([["Next model", describeShadow(shadow)]] as const) : []),
  ];
}

/** How full the cache of the next model is, and how many neighbourhoods it keeps. */
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

function describeEmbedding(embedding: Schemas["EmbeddingCapabilities"]) {
  const { dimensions, matryoshka, max_inputs, max_tokens, input_types, input_type_values } = embedding;
  const width =
    dimensions === null ? "not said" : `${formatCount(dimensions)}${matryoshka ? ", or fewer" : ""}`;
  return [
    ["Makes", "vectors"],
    ["Width", width],
    ["Inputs", `up to ${formatCount(max_inputs)}, ${input_types.join(" or ")}`],
    ...(max_tokens === null ? [] : ([["Input length", `up to ${formatCount(max_tokens)} tokens`]] as const)),
    ...(input_type_values.length > 0 ? ([["Input types", input_type_values.join(", ")]] as const) : []),
  ] as const;
}

function describeImage(image: Schemas["ImageCapabilities"]) {
  const edits = image.edits
    ? ["yes", image.mask && "with a mask", image.max_images > 1 && `up to ${image.max_images} images`]
    : ["no"];
  return [
    ["Makes", "images"],
    ["Sizes", image.sizes.join(", ").replace("WIDTHxHEIGHT", "any")],
    ...(image.qualities.length > 1 ? ([["Qualities", image.qualities.join(", ")]] as const) : []),
    ["Formats", image.output_formats.join(", ")],
    ["At once", `up to ${image.max_n}`],
    ["Edits", edits.filter(Boolean).join(", ")],
    ["Streams", image.streaming ? "yes" : "no"],
  ] as const;
}

/** The price of a target in a few words. */
export function describePrice(price: Schemas["TargetPrice"]): string {
  if (price === null) return "not known";
  if (price.per_million_tokens !== null) return perMillion(price.per_million_tokens, "tokens");
  const amounts = price.per_image.map(({ usd }) => usd);
  if (amounts.length > 0) {
    const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
    if (most === 0) return "free";
    return least === most
      ? `${formatUsd(least)} an image`
      : `${formatUsd(least)} to ${formatUsd(most)} an image`;
  }
  if (price.per_million_output_tokens !== null)
    return perMillion(price.per_million_output_tokens, "tokens out");
  return "not known";
}

function perMillion(usd: number, what: string): string {
  return usd === 0 ? "free" : `${formatUsd(usd)} a million ${what}`;
}
