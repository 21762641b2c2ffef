import type { Schemas } from "../../operations/schemas.js";

type ModelType = Schemas["Model"]["type"];

/** The one number of a model's price, by the model's type. */
const parts = { embedding: "perMillionTokens", image: "perImage" } as const satisfies Record<
  ModelType,
  string
>;

/** The text of the price field. Undefined for a price of several parts, such as one for each size of an image. */
export function readPrice(price: unknown): string | undefined {
  if (price === undefined) return "";
  const [first, ...others] = typeof price === "object" && price !== null ? Object.entries(price) : [];
  const isOne = first !== undefined && others.length === 0 && typeof first[1] === "number";
  return isOne && Object.values<string>(parts).includes(first[0]) ? String(first[1]) : undefined;
}

/** The setting `price`. An empty field leaves it out, and the catalogue applies. */
export function writePrice(type: ModelType, text: string): Readonly<Record<string, number>> | undefined {
  return text.trim() === "" ? undefined : { [parts[type]]: Number(text) };
}

export const priceFault = "Enter an amount in US dollars, such as 0.02.";

/** The label of the price field. */
export function priceLabel(type: ModelType): string {
  return `Price per ${type === "image" ? "image" : "1M tokens"}, $`;
}

/** Whether the text is empty or an amount that the gateway accepts. */
export function isPrice(text: string): boolean {
  return text.trim() === "" || (/^\d*\.?\d+$/.test(text.trim()) && Number(text) <= 1_000_000);
}
