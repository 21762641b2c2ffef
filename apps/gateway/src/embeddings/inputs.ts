import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { type Input, isContent, type TextInput } from "@model-gateway/domain/requests";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import type { Vocabularies } from "@model-gateway/tokens/tokens";

type EmbeddingInput = Schemas["EmbeddingInput"];
/** An input as the caller wrote it. Its images are not read yet. */
export type GivenInput = TextInput | GivenContent;
export type GivenContent = Schemas["EmbeddingContentInput"];

export function isGivenContent(input: GivenInput): input is GivenContent {
  return typeof input === "object" && !Array.isArray(input);
}

/** The forms of `input` as a list. A flat array of token ids is one input. Empty texts are refused. */
export function readInputs(input: EmbeddingInput, maxInputs: number): readonly GivenInput[] {
  const inputs: readonly GivenInput[] = isOneInput(input) ? [input] : input;
  if (inputs.length > maxInputs) {
    throw new GatewayError(
      "array_above_max_length",
      (param) =>
        `Invalid '${param}': array length must be ${maxInputs} or less for this model, but it is ${inputs.length}.`,
      { param: "input" },
    );
  }
  // The spec refuses empty arrays. It leaves empty texts to this check, since `minLength` counts every character.
  if (inputs.includes("")) {
    throw errorOf("empty_string", { param: "input" });
  }
  for (const one of inputs) if (typeof one === "string") checkLength(one, "input");
  return inputs;
}

/** Of the texts in a body, only data URLs may be longer: a text that begins like one is refused here. */
const textLengthMax = 1024 * 1024;

export function checkLength(text: string, param: string): void {
  if (text.length > textLengthMax)
    throw errorOf("string_above_max_length", { param, maximum: textLengthMax });
}

export function isOneInput(input: EmbeddingInput): input is string | number[] {
  return typeof input === "string" || typeof input[0] === "number";
}

/**
 * Token ids are only valid in their own vocabulary: in another one they are another text, and the vector is wrong without
 * an error. They are passed to a model that declares the caller's vocabulary, decoded to text for a model with another
 * one, and refused where no vocabulary is declared.
 */
export async function translateTokens(
  inputs: readonly Input[],
  model: EmbeddingModel,
  vocabularies: Vocabularies,
): Promise<readonly Input[]> {
  const { tokenizer, clientTokenizer = tokenizer } = model;
  if (!inputs.some(Array.isArray) || (tokenizer !== undefined && tokenizer === clientTokenizer))
    return inputs;
  if (clientTokenizer === undefined) {
    throw new GatewayError(
      "unsupported_value",
      `Invalid 'input': the model '${model.id}' does not take token ids; send text instead.`,
      { param: "input" },
    );
  }
  const vocabulary = await vocabularies.open(clientTokenizer);
  const slice = new TimeSlice();
  const texts: Input[] = [];
  let bytes = 0;
  for (const input of inputs) {
    if (typeof input === "string" || isContent(input)) {
      texts.push(input);
      continue;
    }
    bytes += (await inSlices(vocabulary.bytesOf(input), slice)) ?? refuseUnknownId(clientTokenizer);
    if (bytes > translatedBytesMax) refuseLongText();
    texts.push(await inSlices(vocabulary.textOf(input), slice));
  }
  return texts;
}

/** A six-digit token id can decode to 128 bytes. */
const translatedBytesMax = 32 * 1024 * 1024;

function refuseUnknownId(name: string): never {
  throw errorOf("invalid_value", { param: "input", reason: `it has a token id that ${name} does not have` });
}

function refuseLongText(): never {
  throw new GatewayError(
    "content_too_large",
    `Invalid 'input': its token ids stand for more than ${translatedBytesMax} bytes of text. Send fewer inputs at once.`,
    { param: "input" },
  );
}

/** An input and its key. Equal inputs have equal keys. */
export interface KeyedInput {
  readonly key: string;
  readonly input: Input;
}

/** Equal inputs of one request are sent once. `indexes` has the index in `unique` of each input. */
export async function deduplicate(inputs: readonly Input[]): Promise<{
  unique: readonly KeyedInput[];
  indexes: readonly number[];
}> {
  const slice = new TimeSlice();
  const known = new Map<string, number>();
  const unique: KeyedInput[] = [];
  const indexes: number[] = [];
  for (const input of inputs) {
    const key = inputKey(input);
    const index = known.get(key) ?? unique.push({ key, input }) - 1;
    known.set(key, index);
    indexes.push(index);
    if (slice.isOver) await slice.yield();
  }
  return { unique, indexes };
}

/** The same for the only input of a request. */
export function onlyInput(input: Input): { unique: readonly KeyedInput[]; indexes: readonly number[] } {
  return { unique: [{ key: inputKey(input), input }], indexes: onlyIndex };
}

const onlyIndex = [0];

/** The first letter keeps texts, tokens and contents apart. */
export function inputKey(input: Input): string {
  if (typeof input === "string") return `t${input}`;
  return isContent(input) ? `c${input.digest}` : `n${input.join(",")}`;
}
