/** How much an upstream says that it takes in one call. */
export interface SaidLimit {
  readonly maxInputs?: number;
  readonly maxTokens?: number;
}

/** The words of refusals that are about the size of a batch. No provider has a code for it that says the number. */
const phrases: readonly { readonly pattern: RegExp; readonly about: "inputs" | "tokens" }[] = [
  { pattern: /max(?:imum)?\s+(?:of\s+)?(\d+)\s+tokens per request/i, about: "tokens" },
  { pattern: /maximum allowed batch size\s+(\d+)/i, about: "inputs" },
  { pattern: /batch size.{0,40}?(?:larger|greater|more) than (\d+)/i, about: "inputs" },
  { pattern: /at most (\d+) (?:requests|inputs|texts|items|documents|instances)/i, about: "inputs" },
  { pattern: /array length must be (\d+) or less/i, about: "inputs" },
  { pattern: /(\d+) instance\(s\) is allowed/i, about: "inputs" },
  {
    pattern:
      /(?:max(?:imum)?|limit)(?: number| count)? (?:of )?(?:inputs|texts|items|documents)\D{0,30}(\d+)/i,
    about: "inputs",
  },
  {
    pattern: /too many (?:inputs|texts|items|documents)\D{0,60}?(?:max(?:imum)?|limit)\D{0,20}(\d+)/i,
    about: "inputs",
  },
];
const withoutNumber =
  /batch.{0,40}(?:too large|exceed)|too many (?:inputs|texts|items|documents)|payload too large/i;

/** Reads from the words of a refusal whether the batch was too large. Undefined where it is about something else. */
export function readBatchLimit(status: number, message: string): SaidLimit | undefined {
  for (const { pattern, about } of phrases) {
    const said = Number(pattern.exec(message)?.[1]);
    if (said > 0) return about === "tokens" ? { maxTokens: said } : { maxInputs: said };
  }
  return status === 413 || withoutNumber.test(message) ? {} : undefined;
}
