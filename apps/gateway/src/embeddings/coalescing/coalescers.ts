import type { EmbeddingModel } from "../../domain/model.js";
import type { EmbeddingBatch, EmbeddingRequest, Input } from "../../domain/requests.js";
import type { RequestTrace } from "../../domain/trace.js";
import { shareKey } from "../inputs.js";
import { countTokens, type OpenVocabulary } from "../tokens.js";
import type { LearnedLimits } from "./batches.js";
import { type Batch, type BatchReply, Coalescer } from "./coalescer.js";
import type { FetchedVector, InputRequest } from "./pending-input.js";

/** Sends one part of a request to an upstream and gives back verified vectors in its order. */
export type SendPart = (part: Batch, order: BatchRoute, signal: AbortSignal) => Promise<BatchReply>;

/** What all parts of a lane have in common. */
export interface BatchRoute {
  readonly model: EmbeddingModel;
  readonly options: BatchOptions;
}

export type BatchOptions = Omit<EmbeddingBatch, "inputs" | "dimensionsField">;

export interface LanesNeeds {
  readonly sendPart: SendPart;
  readonly limits: LearnedLimits;
  readonly openVocabulary: OpenVocabulary;
}

export interface LaneErrand {
  readonly model: EmbeddingModel;
  readonly caller: string;
  readonly trace: RequestTrace;
  readonly signal: AbortSignal;
}

export type FetchVectors = (
  inputs: readonly Input[],
  request: EmbeddingRequest,
  errand: LaneErrand,
) => Promise<FetchedVector[]>;

/** How many calls one large request may make at once where its target has no limit of its own. */
const parallelPartsMax = 8;

/** Keeps a lane for each kind of request that is under way, and takes inputs to theirs. */
export function createLanes({ sendPart, limits, openVocabulary }: LanesNeeds): FetchVectors {
  const lanes = new Map<string, Coalescer>();

  function laneFor(name: string, model: EmbeddingModel, options: BatchOptions): Coalescer {
    const existing = lanes.get(name);
    if (existing !== undefined) return existing;
    const [target] = model.targets;
    const order = { model, options };
    const lane = new Coalescer({
      limits: () => limits.of(model),
      maxConcurrency: target.capacity.maxConcurrency ?? parallelPartsMax,
      coalesce: model.coalesce,
      send: (part, signal) => sendPart(part, order, signal),
      learn: limits.learn,
      onIdle: () => lanes.delete(name),
    });
    lanes.set(name, lane);
    return lane;
  }

  return async (inputs, request, { model, caller, trace, signal }) => {
    const { maxTokens } = limits.of(model);
    const counted = countTokens(inputs, { model, maxTokens }, openVocabulary);
    const tokens = counted instanceof Promise ? await counted : counted;
    signal.throwIfAborted();
    const wants = inputs.map(
      (input, index): InputRequest => ({
        key: shareKey(input),
        input,
        tokens: tokens[index] ?? 1,
        caller,
        trace,
      }),
    );
    const options = optionsOf(request, model);
    return laneFor(nameOf(model, options), model, options).fetch(wants, signal);
  };
}

/** What is asked of the upstream. A cache needs numbers whatever the caller wants, and base64 is the shorter way. */
function optionsOf(
  { dimensions, encoding_format = "float", user }: EmbeddingRequest,
  model: EmbeddingModel,
): BatchOptions {
  const needsNumbers = model.cache !== undefined || model.coalesce !== undefined;
  return {
    encoding_format: needsNumbers ? "base64" : encoding_format,
    // The width that a model has anyway need not be asked for.
    dimensions: dimensions === model.dimensions ? undefined : dimensions,
    user,
  };
}

/** The same for requests that may share calls. What a caller chooses stands at the end, so that it cannot pretend. */
function nameOf({ id }: EmbeddingModel, { dimensions = 0, encoding_format, user }: BatchOptions): string {
  return `${id}\n${dimensions} ${encoding_format}${user === undefined ? "" : ` ${user}`}`;
}
