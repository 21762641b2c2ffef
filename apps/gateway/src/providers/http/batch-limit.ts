/** The batch limit that an upstream states in a refusal. Empty where it states no number. */
export interface StatedLimit {
  readonly maxInputs?: number;
  readonly maxTokens?: number;
}

/** How upstreams word a refusal of a batch for its size. No provider has an error code that carries the number. */
const phrases: readonly { readonly pattern: RegExp; readonly limits: "inputs" | "tokens" }[] = [
  { pattern: /max(?:imum)?\s+(?:of\s+)?(\d+)\s+tokens per request/i, limits: "tokens" },
  { pattern: /maximum allowed batch size\s+(\d+)/i, limits: "inputs" },
  { pattern: /batch size.{0,40}?(?:larger|greater|more) than (\d+)/i, limits: "inputs" },
  { pattern: /at most (\d+) (?:requests|inputs|texts|items|documents|instances)/i, limits: "inputs" },
  { pattern: /array length must be (\d+) or less/i, limits: "inputs" },
  { pattern: /(\d+) instance\(s\) is allowed/i, limits: "inputs" },
  {
    pattern:
      /(?:max(?:imum)?|limit)(?: number| count)? (?:of )?(?:inputs|texts|items|documents)\D{0,30}(\d+)/i,
    limits: "inputs",
  },
  {
    pattern: /too many (?:inputs|texts|items|documents)\D{0,60}?(?:max(?:imum)?|limit)\D{0,20}(\d+)/i,
    limits: "inputs",
  },
];
const withoutNumber =
  /batch.{0,40}(?:too large|exceed)|too many (?:inputs|texts|items|documents)|payload too large/i;

/** Reads the batch limit from a refusal. Undefined where it was not refused for its size. */
export function readBatchLimit(status: number, message: string): StatedLimit | undefined {
  for (const { pattern, limits } of phrases) {
    const limit = Number(pattern.exec(message)?.[1]);
    if (limit > 0) return limits === "tokens" ? { maxTokens: limit } : { maxInputs: limit };
  }
  return status === 413 || withoutNumber.test(message) ? {} : undefined;
}
