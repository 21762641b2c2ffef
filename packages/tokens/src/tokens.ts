import { type ContentInput, estimateFileTokens } from "@model-gateway/domain/content-input";
import type { VocabularyName } from "@model-gateway/domain/model";
import { type Input, isContent } from "@model-gateway/domain/requests";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { Vocabulary } from "./vocabulary.js";

/** The vocabularies of token ids, by name. Loaded on demand: each has megabytes, and most gateways need none. */
export class Vocabularies {
  readonly #open = new Map<VocabularyName, Promise<Vocabulary>>();

  open(name: VocabularyName): Promise<Vocabulary> {
    const open = this.#open.get(name) ?? Vocabulary.open(name);
    this.#open.set(name, open);
    return open;
  }
}

/** An upper bound: a token is at least one byte in every vocabulary. */
export function tokensMax({ input }: { readonly input: Input }): number {
  if (typeof input === "string") return Buffer.byteLength(input);
  return isContent(input) ? contentTokensMax(input) : input.length;
}

/** Images and media are estimated: no vendor publishes a bound. */
function contentTokensMax(input: ContentInput): number {
  let tokens = 0;
  for (const part of input.parts)
    tokens += part.type === "text" ? Buffer.byteLength(part.text) : estimateFileTokens(part);
  return tokens;
}

/** The upper bounds of many inputs, in time slices. */
export async function manyTokensMax(inputs: readonly { readonly input: Input }[]): Promise<number[]> {
  const bounds: number[] = [];
  const slice = new TimeSlice();
  for (const input of inputs) {
    bounds.push(tokensMax(input));
    if (slice.isOver) await slice.yield();
  }
  return bounds;
}

/** Counts exactly, up to a limit. An input above it, which fits into no batch with others, keeps its upper bound. */
export async function countTokens(
  inputs: readonly { readonly input: Input }[],
  vocabulary: Vocabulary,
  limit: number,
): Promise<number[]> {
  const counts: number[] = [];
  const slice = new TimeSlice();
  for (const one of inputs) {
    const { input } = one;
    const count =
      typeof input === "string" ? await inSlices(vocabulary.countTokens(input, limit), slice) : undefined;
    counts.push(count ?? tokensMax(one));
    if (slice.isOver) await slice.yield();
  }
  return counts;
}
