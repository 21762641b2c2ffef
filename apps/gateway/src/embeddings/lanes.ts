import type { EmbeddingModel } from "../domain/model.js";
import type { EmbeddingPart, EmbeddingRequest, Input } from "../domain/requests.js";
import type { RequestTrace } from "../domain/trace.js";
import type { BatchLimits } from "./batch-limits.js";
import { countTokens } from "./count-tokens.js";
import { type Fetched, Lane, type Part, type PartAnswer, type Want } from "./lane.js";
import { shareKey } from "./share-key.js";
import type { OpenVocabulary } from "./vocabulary.js";

/** Sends one part of a request to an upstream and gives back verified vectors in its order. */
export type SendPart = (
  part: Omit<Part, "inputs"> & { readonly model: EmbeddingModel; readonly request: EmbeddingPart },
  signal: AbortSignal,
) => Promise<PartAnswer>;

export interface LanesNeeds {
  readonly sendPart: SendPart;
  readonly limits: BatchLimits;
  readonly openVocabulary: OpenVocabulary;
}

export interface LaneErrand {
  readonly model: EmbeddingModel;
  readonly request: EmbeddingRequest;
  readonly caller: string;
  readonly trace: RequestTrace;
  readonly signal: AbortSignal;
}

export type FetchVectors = (inputs: readonly Input[], errand: LaneErrand) => Promise<Fetched[]>;

/** How many calls one large request may make at once where its target has no limit of its own. */
const parallelPartsMax = 8;

/** Keeps a lane for each kind of request that is under way, and takes inputs to theirs. */
export function createLanes({ sendPart, limits, openVocabulary }: LanesNeeds): FetchVectors {
  const lanes = new Map<string, Lane>();

  function laneFor(name: string, model: EmbeddingModel, options: Omit<EmbeddingPart, "inputs">): Lane {
    const existing = lanes.get(name);
    if (existing !== undefined) return existing;
    const [target] = model.targets;
    const lane = new Lane({
      limits: () => limits.of(model),
      maxConcurrency: target.capacity.maxConcurrency ?? parallelPartsMax,
      coalesce: target.coalesce,
      send: ({ inputs, ...part }, signal) =>
        sendPart({ ...part, model, request: { ...options, inputs } }, signal),
      learn: limits.learn,
    });
    lanes.set(name, lane);
    return lane;
  }

  return async (inputs, { model, request, caller, trace, signal }) => {
    const { maxTokens } = limits.of(model);
    const tokens = await countTokens(inputs, { model, maxTokens }, openVocabulary);
    const wants = inputs.map(
      (input, index): Want => ({ key: shareKey(input), input, tokens: tokens[index] ?? 1, caller, trace }),
    );
    const options = optionsOf(request, model);
    const name = JSON.stringify([model.id, options.dimensions, options.encoding_format, options.user]);
    const lane = laneFor(name, model, options);
    try {
      return await lane.fetch(wants, signal);
    } finally {
      if (lane.isIdle && lanes.get(name) === lane) lanes.delete(name);
    }
  };
}

/** What is asked of the upstream. A cache needs numbers whatever the caller wants, and base64 is the shorter way. */
function optionsOf(
  { dimensions, encoding_format, user }: EmbeddingRequest,
  model: EmbeddingModel,
): Omit<EmbeddingPart, "inputs"> {
  const needsNumbers = model.cache !== undefined || model.targets[0].coalesce !== undefined;
  return {
    encoding_format: needsNumbers ? "base64" : (encoding_format ?? "float"),
    // The width that a model has anyway need not be asked for.
    ...(dimensions === undefined || dimensions === model.dimensions ? {} : { dimensions }),
    ...(user === undefined ? {} : { user }),
  };
}
