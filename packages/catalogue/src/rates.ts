import type { ModelType } from "@model-gateway/domain/operations";
import type { EmbeddingPrice, ImagePrice, Price, PricesBySize } from "@model-gateway/domain/price";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { Rate } from "./catalogue-file.js";

/** The price that a list of rates stands for. Undefined if it leaves something open that such a model is billed for. */
export function priceOfRates(rates: readonly Rate[], kind: ModelType): Price | undefined {
  if (kind === "image") return imagePrice(rates);
  const perMillionTokens = perMillion(rates, "input_text");
  if (perMillionTokens === undefined) return undefined;
  const perMillionImageTokens = perMillion(rates, "input_image");
  const perInputImage = rates.find((rate) => rate.unit === "image" && rate.billable === "input_image")?.usd;
  return { perMillionTokens, ...withoutUndefined({ perMillionImageTokens, perInputImage }) };
}

function imagePrice(rates: readonly Rate[]): ImagePrice | undefined {
  const price = withoutUndefined({
    ...tokenPrices(rates),
    perMegapixel: megapixelPrices(rates),
    perImage: pricesBySize(rates.filter((rate) => rate.unit === "image" && rate.billable === "output_image")),
    perSecond: usdOf(rates, "second"),
    perRequest: usdOf(rates, "request"),
  });
  return Object.keys(price).length === 0 ? undefined : price;
}

function usdOf(rates: readonly Rate[], unit: Rate["unit"]): number | undefined {
  return rates.find((rate) => rate.unit === unit)?.usd;
}

/** Tokens count only where both directions have a price. */
function tokenPrices(rates: readonly Rate[]) {
  const text = perMillion(rates, "input_text");
  const image = perMillion(rates, "input_image") ?? text;
  const output = perMillion(rates, "output_image");
  if (text === undefined || image === undefined || output === undefined) return {};
  const cachedText = perMillion(rates, "input_text", true);
  const cachedImage = perMillion(rates, "input_image", true);
  return {
    perMillionInputTokens: { text, image, ...withoutUndefined({ cachedText, cachedImage }) },
    perMillionOutputTokens: { text: perMillion(rates, "output_text") ?? output, image: output },
  };
}

function perMillion(rates: readonly Rate[], billable: Rate["billable"], cached?: true): number | undefined {
  const rate = rates.find(
    (one) => one.unit === "token" && one.billable === billable && one.variant?.cached === cached,
  );
  return rate && exact((rate.usd * 1_000_000) / (rate.per ?? 1));
}

/** Without the last digits of a binary fraction. */
function exact(usd: number): number {
  return Number(usd.toPrecision(12));
}

function megapixelPrices(rates: readonly Rate[]): ImagePrice["perMegapixel"] {
  const find = (billable: Rate["billable"], megapixel?: "first" | "further") =>
    rates.find(
      (one) => one.unit === "megapixel" && one.billable === billable && one.variant?.megapixel === megapixel,
    )?.usd;
  const every = find("output_image");
  const first = find("output_image", "first") ?? every;
  const further = find("output_image", "further") ?? every;
  const input = find("input_image");
  if (first === undefined || further === undefined) return undefined;
  return first === further && input === undefined
    ? first
    : { first, further, ...withoutUndefined({ input }) };
}

function pricesBySize(rates: readonly Rate[]): number | PricesBySize | undefined {
  const [first] = rates;
  if (first === undefined) return undefined;
  if (rates.length === 1 && first.variant === undefined) return first.usd;
  const sizes: Record<string, Record<string, number>> = {};
  for (const { usd, variant } of rates) {
    const { size = "*", quality = "*" } = variant ?? {};
    sizes[size] = { ...sizes[size], [quality]: usd };
  }
  return sizes;
}

const million = 1_000_000;

/** The rates that a price consists of, for callers and operators. */
export function ratesOfPrice(price: Price): Rate[] {
  if ("perMillionTokens" in price) return embeddingRates(price);
  const { perMillionInputTokens: input, perMillionOutputTokens: output } = price;
  return [
    ...(input === undefined ? [] : inputRates(input)),
    ...(output === undefined ? [] : outputRates(output)),
    ...(price.perMegapixel === undefined ? [] : megapixelRates(price.perMegapixel)),
    ...(price.perImage === undefined ? [] : imageRates(price.perImage)),
    ...wholeRate("second", price.perSecond),
    ...wholeRate("request", price.perRequest),
  ];
}

function embeddingRates({ perMillionTokens, perMillionImageTokens, perInputImage }: EmbeddingPrice): Rate[] {
  return [
    tokenRate("input_text", perMillionTokens),
    ...(perMillionImageTokens === undefined ? [] : [tokenRate("input_image", perMillionImageTokens)]),
    ...(perInputImage === undefined
      ? []
      : [{ billable: "input_image", unit: "image", usd: perInputImage } satisfies Rate]),
  ];
}

function wholeRate(unit: "second" | "request", usd: number | undefined): Rate[] {
  return usd === undefined ? [] : [{ billable: "output_image", unit, usd }];
}

function tokenRate(billable: Rate["billable"], usd: number, cached = false): Rate {
  return {
    billable,
    unit: "token",
    usd,
    per: million,
    ...(cached && { variant: { cached: true as const } }),
  };
}

function inputRates(prices: NonNullable<ImagePrice["perMillionInputTokens"]>): Rate[] {
  const { text, image, cachedText, cachedImage } =
    typeof prices === "number" ? { text: prices, image: prices } : prices;
  return [
    tokenRate("input_text", text),
    ...(cachedText === undefined ? [] : [tokenRate("input_text", cachedText, true)]),
    tokenRate("input_image", image),
    ...(cachedImage === undefined ? [] : [tokenRate("input_image", cachedImage, true)]),
  ];
}

function outputRates(prices: NonNullable<ImagePrice["perMillionOutputTokens"]>): Rate[] {
  const { text, image } = typeof prices === "number" ? { text: prices, image: prices } : prices;
  return [tokenRate("output_text", text), tokenRate("output_image", image)];
}

function megapixelRates(prices: NonNullable<ImagePrice["perMegapixel"]>): Rate[] {
  const rate = { billable: "output_image", unit: "megapixel" } as const;
  if (typeof prices === "number") return [{ ...rate, usd: prices }];
  const { first, further, input } = prices;
  return [
    { ...rate, usd: first, variant: { megapixel: "first" } },
    { ...rate, usd: further, variant: { megapixel: "further" } },
    ...(input === undefined
      ? []
      : [{ billable: "input_image", unit: "megapixel", usd: input } satisfies Rate]),
  ];
}

function imageRates(prices: number | PricesBySize): Rate[] {
  const rate = { billable: "output_image", unit: "image" } as const;
  if (typeof prices === "number") return [{ ...rate, usd: prices }];
  return Object.entries(prices).flatMap(([size, ofSize]) => {
    const qualities = typeof ofSize === "number" ? { "*": ofSize } : ofSize;
    return Object.entries(qualities).map(([quality, usd]) => {
      const variant = { ...(size !== "*" && { size }), ...(quality !== "*" && { quality }) };
      return { ...rate, usd, ...(Object.keys(variant).length > 0 && { variant }) };
    });
  });
}
