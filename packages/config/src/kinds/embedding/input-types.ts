import type { InputTypeWords } from "@model-gateway/domain/model";
import type { EmbeddingTraits } from "@model-gateway/providers/traits";
import { isObject } from "@model-gateway/runtime/json";

/**
 * A target's words for `input_type`: those of the operator, or else of its provider.
 *
 * @param keys The target in the file. Of any shape: it may not be checked yet.
 */
export function inputTypesOf(
  { inputTypes: own }: { readonly inputTypes?: unknown },
  traits: EmbeddingTraits | undefined,
): InputTypeWords | undefined {
  if (!isObject(own)) return traits?.inputTypes;
  const words = Object.entries(own).map(([value, word]): [string, string | null] => [
    value,
    typeof word === "string" ? word : null,
  ]);
  const sent = words.flatMap(([, word]): [string, string][] => (isWord(word) ? [[word, word]] : []));
  // The operator's own values go last, so that they win.
  return new Map([...sent, ...words]);
}

/** Others are sentences, which only an operator writes. */
function isWord(text: string | null): text is string {
  return text !== null && /^[\w.-]{1,64}$/.test(text);
}

/** The values that all targets know: any of them may serve a request. */
export function commonInputTypes([first, ...others]: readonly (
  | InputTypeWords
  | undefined
)[]): ReadonlySet<string> {
  const values = [...(first?.keys() ?? [])];
  return new Set(values.filter((value) => others.every((other) => other?.has(value) === true)));
}
