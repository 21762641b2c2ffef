import type { EmbeddingModel, ImageModel, Model, Target } from "../domain/model.js";
import { BatchSender } from "../embeddings/coalescing/send-batch.js";
import { embeddingCost } from "../embeddings/cost.js";
import { GatewayError } from "../errors.js";
import type { ProbeOutcome, ProbeTarget } from "../http/operations/probeTarget.js";
import type { RequestContext } from "../http/request/request-context.js";
import { usedBy } from "../images/cost.js";
import { type CallOnceOptions, callOnce } from "../scheduling/call-once.js";
import { nothingUsed, type UsedAmounts } from "../usage/cost.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";

export interface ProbeOptions extends CallOnceOptions {
  /** Writes a row of the ledger. */
  readonly record: (row: LedgerRow) => Promise<void>;
  /** Tells the other workers that a target works. */
  readonly publishHealed: (target: Pick<Target, "upstream" | "model">) => Promise<unknown>;
}

const probeText = "The quick brown fox jumps over the lazy dog.";
const probePrompt = "A plain grey square.";
const probeTokens = 16;

/** Probes targets with small real calls. They are in the ledger, under a key of the gateway's own. */
export function createProbe(options: ProbeOptions): ProbeTarget {
  return async (model, target, context) => {
    const { clock, record, publishHealed } = options;
    const operation = model.type === "embedding" ? "createEmbedding" : "createImage";
    const startedAt = clock.now();
    let used = nothingUsed;
    let failure: GatewayError | undefined;
    try {
      used = await call(model, target, { context, options });
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown;
      failure = thrown;
      // Whether a failed call is billed is not known, unless it is certain that nothing was made.
      if (!thrown.nothingBilled) used = { ...nothingUsed, costNanos: null };
    }
    const ms = clock.now() - startedAt;
    if (failure === undefined) await publishHealed({ upstream: target.upstream, model: target.model });
    await record(rowOf({ model, target, context, used, outcome: { operation, ms, failure } }));
    return { operation, ms, failure, costNanos: used.costNanos };
  };
}

interface CallParts {
  readonly context: RequestContext;
  readonly options: CallOnceOptions;
}

function call(model: Model, target: Target, parts: CallParts): Promise<UsedAmounts> {
  // The target is one of the model's own.
  const targets = [target] as unknown;
  return model.type === "embedding"
    ? embed({ ...model, targets: targets as EmbeddingModel["targets"] }, parts)
    : createImage({ ...model, targets: targets as ImageModel["targets"] }, parts);
}

async function embed(model: EmbeddingModel, { context, options }: CallParts): Promise<UsedAmounts> {
  const sender = new BatchSender({ dispatch: (request) => callOnce(request, options) });
  const { vectors, promptTokens, target } = await sender.send(
    { inputs: [probeText], tokens: probeTokens, context: callContext(context) },
    { model, options: { encoding_format: "float", inputType: model.inputType } },
  );
  for (const vector of vectors) if (vector.isPooled) vector.release();
  const costNanos = embeddingCost(target.price, promptTokens);
  return { ...nothingUsed, inputTokens: promptTokens, costNanos };
}

async function createImage(model: ImageModel, { context, options }: CallParts): Promise<UsedAmounts> {
  const { result } = await callOnce(
    {
      operation: "createImage",
      model,
      context: callContext(context),
      tokens: 0,
      request: () => ({ prompt: probePrompt }),
      accept: (reply, { price }): UsedAmounts => {
        const images = "images" in reply ? reply.images.data : undefined;
        if (!("images" in reply) || images === undefined || images.length === 0)
          throw new GatewayError("upstream_invalid_reply", "The upstream returned no image.");
        const { size, quality, usage } = reply.images;
        const variant = { ...(size && { size }), ...(quality && { quality }) };
        return usedBy({ price, images: images.map(() => variant), ...(usage && { usage }) });
      },
    },
    options,
  );
  return result;
}

function callContext({ signal, trace }: RequestContext) {
  return { caller: probeKey.id, signal, trace };
}

/** The gateway itself. */
const probeKey = { id: "gateway:probe", name: "probe" };

interface RowParts {
  readonly model: Model;
  readonly target: Target;
  readonly context: RequestContext;
  readonly used: UsedAmounts;
  readonly outcome: Omit<ProbeOutcome, "costNanos">;
}

function rowOf({ model, target, context, used, outcome }: RowParts): LedgerRow {
  const { operation, ms, failure } = outcome;
  return {
    id: context.id,
    at: context.arrivedAt,
    keyId: probeKey.id,
    keyName: probeKey.name,
    operation,
    model: model.pattern ?? model.id,
    upstream: target.upstream,
    attempts: 1,
    status: failure?.status ?? 200,
    ...used,
    ms: Math.round(ms * 10) / 10,
    requestBytes: context.requestBytes,
    responseBytes: 0,
    cache: null,
    errorCode: failure?.code ?? null,
    tokensEstimated: false,
    // A probe does not read the cache.
    cachedInputs: 0,
    savedNanos: 0,
  };
}
