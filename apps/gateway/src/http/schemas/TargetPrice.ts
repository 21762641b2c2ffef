import type { ImagePrice, Price } from "../../domain/model.js";
import type { Schemas } from "../../operations.js";

/** A price as the spec describes it, and whether it is known. */
export function describePrice(
  price: Price | undefined,
): Pick<Schemas["AdminTarget"], "price_known" | "price"> {
  if (price === undefined) return { price_known: false, price: null };
  const isEmbedding = "perMillionTokens" in price;
  return {
    price_known: true,
    price: {
      per_million_tokens: isEmbedding ? price.perMillionTokens : null,
      ...describeImagePrice(isEmbedding ? {} : price),
    },
  };
}

function describeImagePrice({
  perImage,
  perMillionInputTokens: input,
  perMillionOutputTokens: output,
}: ImagePrice) {
  const [text, image] = typeof input === "object" ? [input.text, input.image] : [input, input];
  return {
    per_image: perImage === undefined ? [] : listPrices(perImage),
    per_million_text_input_tokens: text ?? null,
    per_million_image_input_tokens: image ?? null,
    per_million_output_tokens: output ?? null,
  };
}

/** One entry for each size and quality that has a separate price. */
function listPrices(prices: NonNullable<ImagePrice["perImage"]>): Schemas["ImagePriceEntry"][] {
  if (typeof prices === "number") return [{ size: "*", quality: "*", usd: prices }];
  return Object.entries(prices).flatMap(([size, ofSize]) =>
    typeof ofSize === "number"
      ? [{ size, quality: "*", usd: ofSize }]
      : Object.entries(ofSize).map(([quality, usd]) => ({ size, quality, usd })),
  );
}
