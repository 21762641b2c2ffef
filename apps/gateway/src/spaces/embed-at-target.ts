import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingModel, EmbeddingTarget } from "@model-gateway/domain/model";
import type { EmbeddingBatch, EmbeddingReply, Input } from "@model-gateway/domain/requests";
import { type Call, ownCall } from "@model-gateway/providers/call";
import type { ProviderOperations } from "@model-gateway/providers/provider";
import { untilTimeout } from "@model-gateway/runtime/until-timeout";
import { probeTexts } from "@model-gateway/vector-check/probes";
import type { ProbeVectors } from "@model-gateway/vector-check/spaces";
import { batchFor } from "../embeddings/coalescing/send-batch.js";
import { verifyEmbeddings } from "../embeddings/verify.js";
import { probeImagesFor } from "./probe-images.js";

interface TargetToAsk {
  readonly model: EmbeddingModel;
  readonly target: EmbeddingTarget;
  readonly operations: Pick<ProviderOperations, "createEmbedding" | "createContentEmbedding">;
  /** Default: the model's. */
  readonly inputType?: string | undefined;
  /** Ends all calls. */
  readonly signal?: AbortSignal | undefined;
}

interface TargetUsage {
  /** Undefined where the upstream does not report them. */
  readonly promptTokens: number | undefined;
  /** The cost that the upstream reports for all calls, in US dollars. Undefined: it does not. */
  readonly reportedUsd: number | undefined;
}

interface TargetVectors extends TargetUsage {
  readonly vectors: readonly Float32Array[];
  /** How many of the tokens are those of images. Undefined where the upstream does not report them. */
  readonly imageTokens: number | undefined;
}

/** The vectors of the probe texts, and those of the probe images if the target takes images. */
export interface TargetProbes extends ProbeVectors<Float32Array> {
  readonly images: readonly Float32Array[] | undefined;
}

export interface EmbeddedProbes extends TargetProbes {
  readonly usage: TargetUsage & { readonly imageTokens: number | undefined };
}

/** Time limit of one call. A model that must be loaded first needs this long. */
const callMs = 60_000;

/**
 * Embeds texts at one target, for the gateway's own checks. It bypasses the scheduler, the limits and the cache. The
 * vectors are verified and normalised as a caller's are. Rejects if any call fails.
 */
export async function embedAtTarget(texts: readonly string[], asked: TargetToAsk): Promise<TargetVectors> {
  const { createEmbedding } = asked.operations;
  if (createEmbedding === undefined)
    throw new GatewayError("unsupported_operation", "The upstream creates no embeddings.", {
      nothingBilled: true,
    });
  return embedInCalls({ inputs: texts, send: createEmbedding, maxInputs: asked.target.maxInputs }, asked);
}

/** Embeds the probe texts, and then the probe images if the target takes images. Rejects if any call fails. */
export async function embedProbes(asked: TargetToAsk): Promise<EmbeddedProbes> {
  const { operations, target } = asked;
  const { vectors: texts, ...usage } = await embedAtTarget(probeTexts, asked);
  const { createContentEmbedding: send } = operations;
  const inputs = probeImagesFor(target);
  if (send === undefined || inputs.length === 0)
    return { texts, images: undefined, usage: { ...usage, imageTokens: 0 } };
  const { maxInputs = 1, maxImagesPerRequest = 1 } = target.inputImages ?? {};
  const limits = [target.maxInputs, maxInputs, maxImagesPerRequest];
  const embedded = await embedInCalls({ inputs, send, maxInputs: Math.min(...limits) }, asked);
  if (embedded.vectors[0]?.length !== texts[0]?.length)
    throw errorOf("upstream_invalid_reply", {
      reason: `its vectors of images have ${embedded.vectors[0]?.length} numbers, and those of texts ${texts[0]?.length}`,
    });
  return {
    texts,
    images: embedded.vectors,
    usage: {
      promptTokens: sumOf(usage.promptTokens, embedded.promptTokens),
      reportedUsd: sumOf(usage.reportedUsd, embedded.reportedUsd),
      imageTokens: embedded.imageTokens,
    },
  };
}

interface InputsToSend<I extends Input> {
  readonly inputs: readonly I[];
  readonly maxInputs: number;
  readonly send: (batch: EmbeddingBatch<I>, call: Call) => Promise<EmbeddingReply>;
}

async function embedInCalls<I extends Input>(
  { inputs, maxInputs, send }: InputsToSend<I>,
  { model, target, inputType = model.inputType, signal }: TargetToAsk,
): Promise<TargetVectors> {
  const vectors: Float32Array[] = [];
  let promptTokens: number | undefined = 0;
  let imageTokens: number | undefined = 0;
  let reportedUsd: number | undefined = 0;
  for (let start = 0; start < inputs.length; start += maxInputs) {
    const batch = inputs.slice(start, start + maxInputs);
    const reply = await send(
      batchFor(target, batch, { inputType }),
      ownCall({ target, signal: untilTimeout(signal, callMs), timeoutMs: callMs }),
    );
    promptTokens = sumOf(promptTokens, reply.promptTokens);
    imageTokens = sumOf(imageTokens, reply.imageTokens);
    reportedUsd = sumOf(reportedUsd, reply.reportedUsd);
    const verified = await verifyEmbeddings(reply, {
      count: batch.length,
      dimensions: undefined,
      model,
      normalizes: target.normalizes,
    });
    // Copied: the memory of a reply may be reused.
    vectors.push(...verified.map((vector) => Float32Array.from(vector.toFloats())));
  }
  return { vectors, promptTokens, imageTokens, reportedUsd };
}

/** Undefined if one of them is. */
function sumOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
