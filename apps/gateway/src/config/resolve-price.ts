import type { z } from "zod";
import type { Price } from "../domain/model.js";
import { listedPrice } from "../usage/price-catalogue.js";
import type { ConfigFile } from "./schema.js";
import type { embeddingPriceSchema, imagePriceSchema } from "./schema-parts.js";

type ModelFile = ConfigFile["models"][string];
type PriceFile = z.output<typeof embeddingPriceSchema> | z.output<typeof imagePriceSchema>;

/** The price of a target: its own, its model's, that of the catalogue; a local model costs nothing. Else not known. */
export function resolvePrice(
  target: ModelFile["targets"][number],
  model: ModelFile,
  upstreams: ConfigFile["upstreams"],
): Price | undefined {
  const said = target.price ?? model.price;
  if (said !== undefined) return withoutAbsent(said);
  const upstream = upstreams[target.upstream];
  if (upstream === undefined) return undefined;
  if (upstream.provider === "local")
    return model.type === "embedding" ? { perMillionTokens: 0 } : { perImage: 0 };
  return listedPrice(upstream.baseUrl, target.model);
}

function withoutAbsent(price: PriceFile): Price {
  if ("perMillionTokens" in price) return price;
  const { perImage, perMillionInputTokens, perMillionOutputTokens } = price;
  return {
    ...(perImage === undefined ? {} : { perImage }),
    ...(perMillionInputTokens === undefined ? {} : { perMillionInputTokens }),
    ...(perMillionOutputTokens === undefined ? {} : { perMillionOutputTokens }),
  };
}
