import type { JsonSchema } from "./json-schema.js";

const integer = /^(?:0|-?[1-9]\d*)$/;
const decimal = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d+)$/;
/** No number that the spec allows is longer, and a much longer one is infinite. */
const lengthMax = 100;

/**
 * Whether the text of a query or a header is the number that its schema asks for. The validator takes what `Number()`
 * takes: `0x10`, `1e400`, `Infinity` and ` 5`.
 */
export function isNumberText(text: string, { type }: JsonSchema): boolean {
  if (type !== "integer" && type !== "number") return true;
  return text.length <= lengthMax && (type === "integer" ? integer : decimal).test(text);
}
