import { detailOf, GatewayError } from "@model-gateway/domain/errors";
import { BatchTooLargeError, type StatedLimit } from "@model-gateway/domain/requests";
import { type BatchPhrase, readBatchLimit } from "./batch-limit.js";

export interface RefusedInputs {
  readonly inputCount: number;
  /** This provider's wording of a size refusal, besides the common ones. */
  readonly phrases?: readonly BatchPhrase[] | undefined;
  /** Names the input at fault, if a refusal does not. Returns any other failure as it is. */
  readonly nameInput?: ((failure: unknown) => unknown) | undefined;
}

/** For the `catch` of a call with inputs: throws the error that names them. */
export function throwInputError(refused: RefusedInputs): (failure: unknown) => never {
  return (failure) => {
    throw asInputError(failure, refused);
  };
}

/**
 * Reads a refusal's details about its inputs. A batch that was refused for its size can be sent again in smaller ones;
 * a refused input is known by its index.
 */
export function asInputError(
  given: unknown,
  { inputCount, phrases = [], nameInput }: RefusedInputs,
): unknown {
  const failure = nameInput === undefined ? given : nameInput(given);
  if (!(failure instanceof GatewayError) || failure.status !== 400) return failure;
  const limit = limitOf(failure, { inputCount, phrases });
  const isAboutTokens = limit?.isAboutTokens === true || limit?.maxTokens !== undefined;
  if (isAboutTokens && inputCount === 1) return aboutInput(failure, 0, "context_length_exceeded");
  const { message, cause, recorded, upstreamStatus } = failure;
  if (limit !== undefined) return new BatchTooLargeError(message, limit, { cause, recorded, upstreamStatus });
  const inputIndex = inputIndexOf(failure.param);
  return inputIndex === undefined ? failure : aboutInput(failure, inputIndex);
}

/**
 * The refusal of one input, by its index in the batch. If the upstream's message names the input, the name is left
 * open: the index differs in the caller's request.
 */
export function aboutInput(failure: GatewayError, inputIndex: number, code = failure.code): GatewayError {
  const { message, param } = failure;
  const names = [param ?? "input", `input[${inputIndex}]`, "input"];
  const name = names.find((one) => message.includes(one)) ?? "";
  const start = message.indexOf(name);
  const [before, after] = [message.slice(0, start), message.slice(start + name.length)];
  return new GatewayError(code, name === "" ? message : (input) => `${before}${input}${after}`, {
    ...detailOf(failure),
    param: "input",
    inputIndex,
  });
}

/** Names the input of a call that has a single one, unless the refusal is about another parameter. */
export function nameOnlyInput(inputCount: number): (failure: unknown) => unknown {
  return (failure) => {
    if (inputCount !== 1 || !(failure instanceof GatewayError) || failure.status !== 400) return failure;
    const isAboutInput = failure.param === null || failure.param === "input";
    return isAboutInput && failure.inputIndex === undefined ? aboutInput(failure, 0) : failure;
  };
}

/** One code by itself means too many inputs. It also names a single list of token ids that is too long. */
function limitOf(
  { code, message, param, upstreamStatus }: GatewayError,
  { inputCount, phrases = [] }: RefusedInputs,
): StatedLimit | undefined {
  if (code === "upstream_rejected") return readBatchLimit(upstreamStatus ?? 400, message, phrases);
  const isAboutInputs = code === "array_above_max_length" && (param === null || param === "input");
  return isAboutInputs && inputCount > 1
    ? (readBatchLimit(upstreamStatus ?? 400, message, phrases) ?? {})
    : undefined;
}

/** `input[3]` and `input.3` name the fourth input. */
function inputIndexOf(param: string | null): number | undefined {
  const index = /^input[.[](\d+)\]?$/.exec(param ?? "")?.[1];
  return index === undefined ? undefined : Number(index);
}
