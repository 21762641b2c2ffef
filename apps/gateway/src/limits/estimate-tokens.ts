import type { Input } from "../domain/requests.js";

/** A token is some four bytes of text: four letters of English, a letter and a third of Chinese. */
const bytesPerToken = 4;

/** About how many tokens a text has. The true count is not known before a model has seen it. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** The same for inputs in all their shapes: a flat array of token ids is one input. */
export function estimateInputTokens(input: Input | readonly Input[]): number {
  if (typeof input === "string") return estimateTokens(input);
  let tokens = 0;
  for (const part of input) {
    if (typeof part === "number") tokens += 1;
    else tokens += typeof part === "string" ? estimateTokens(part) : part.length;
  }
  return tokens;
}
