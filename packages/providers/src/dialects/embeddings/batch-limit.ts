import type { StatedLimit } from "@model-gateway/domain/requests";

/** A way to word a refusal of a batch for its size. The first group of the pattern is the limit, if it is stated. */
export interface BatchPhrase {
  readonly pattern: RegExp;
  readonly limits: "inputs" | "tokens";
  /** Whether the number is the first that is too large. */
  readonly isExclusive?: true;
}

/** Common wording of upstreams, and of proxies for other providers. No error code carries the number. */
const commonPhrases: readonly BatchPhrase[] = [
  { pattern: /max(?:imum)?\s+(?:of\s+)?(\d+)\s+tokens per request/i, limits: "tokens" },
  { pattern: /maximum allowed batch size\s+(\d+)/i, limits: "inputs" },
  { pattern: /batch size.{0,40}?(?:larger|greater|more) than (\d+)/i, limits: "inputs" },
  { pattern: /at most (\d+) (?:requests|inputs|texts|items|documents|instances)/i, limits: "inputs" },
  { pattern: /array length must be (\d+) or less/i, limits: "inputs" },
  // A number at the start of a pattern is sought at every digit of the text, so it needs a bound.
  { pattern: /(?<!\d)(\d{1,9}) instance\(s\) is allowed/i, limits: "inputs" },
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
export function readBatchLimit(
  status: number,
  message: string,
  phrases: readonly BatchPhrase[] = [],
): StatedLimit | undefined {
  for (const { pattern, limits, isExclusive } of [...phrases, ...commonPhrases]) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const limit = Number(found[1]) - (isExclusive ? 1 : 0);
    if (limit > 0) return limits === "tokens" ? { maxTokens: limit } : { maxInputs: limit };
    return limits === "tokens" ? { isAboutTokens: true } : {};
  }
  return status === 413 || withoutNumber.test(message) ? {} : undefined;
}
