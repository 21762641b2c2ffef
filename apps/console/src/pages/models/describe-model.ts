import type { ShownModel } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import type { Sample } from "../../parts/code-sample.js";
import type { Fact } from "../../parts/facts.js";
import { formatCount, formatUsd } from "../../parts/format.js";
import { modelKinds } from "./model-kinds.js";

/** The model's facts, as pairs of a label and a value. */
export function describeModel(model: ShownModel): readonly Fact[] {
  const { type, aliases, shadow } = model;
  return [
    ...modelKinds[type].facts(model),
    ...(aliases.length > 0 ? ([["Also called", aliases.join(", ")]] as const) : []),
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

/** The price of a target in a few words. */
export function describePrice(price: Schemas["TargetPrice"]): string {
  if (price === null) return "not known";
  if (price.per_million_tokens !== null) return perMillion(price.per_million_tokens);
  const amounts = price.per_image.map(({ usd }) => usd);
  if (amounts.length > 0) {
    const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
    if (most === 0) return "free";
    return least === most
      ? `${formatUsd(least)} / image`
      : `${formatUsd(least)} to ${formatUsd(most)} / image`;
  }
  if (price.per_million_output_tokens !== null) return perMillion(price.per_million_output_tokens, " out");
  return "not known";
}

/** Of a million tokens. */
function perMillion(usd: number, what = ""): string {
  return usd === 0 ? "free" : `${formatUsd(usd)} / 1M${what}`;
}

/** The samples of the reference name this address. */
const sampleAddress = "http://127.0.0.1:8080";

/** The reference's samples, with the model id and this gateway's address filled in. */
export function samplesFor({ id, type }: Pick<ShownModel, "id" | "type">, root: string): Sample[] {
  const { model: sampleModel, texts } = modelKinds[type].samples;
  return Object.entries(texts).map(([language, text]) => ({
    language,
    code: text.trim().replaceAll(sampleAddress, root).replaceAll(sampleModel, id),
  }));
}
