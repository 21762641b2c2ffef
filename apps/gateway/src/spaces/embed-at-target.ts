import type { EmbeddingModel, EmbeddingTarget } from "../domain/model.js";
import { untilTimeout } from "../domain/until-timeout.js";
import { batchFor } from "../embeddings/coalescing/send-batch.js";
import { verifyEmbeddings } from "../embeddings/verify.js";
import { ownCall } from "../providers/call.js";
import type { ProviderOperations } from "../providers/provider.js";

export interface TargetToAsk {
  readonly model: EmbeddingModel;
  readonly target: EmbeddingTarget;
  readonly createEmbedding: NonNullable<ProviderOperations["createEmbedding"]>;
  /** Default: the model's. */
  readonly inputType?: string | undefined;
  /** Ends all calls. */
  readonly signal?: AbortSignal;
}

export interface TargetVectors {
  readonly vectors: readonly Float32Array[];
  /** Undefined where the upstream does not report them. */
  readonly promptTokens: number | undefined;
  /** The cost that the upstream reports for all calls, in US dollars. Undefined: it does not. */
  readonly reportedUsd: number | undefined;
}

/** Time limit of one call. A model that must be loaded first needs this long. */
const callMs = 60_000;

/**
 * Embeds texts at one target, for the gateway's own checks. It bypasses the scheduler, the limits and the cache. The
 * vectors are verified and normalised as a caller's are. Rejects if any call fails.
 */
export async function embedAtTarget(
  texts: readonly string[],
  { model, target, createEmbedding, inputType = model.inputType, signal }: TargetToAsk,
): Promise<TargetVectors> {
  const vectors: Float32Array[] = [];
  let promptTokens: number | undefined = 0;
  let reportedUsd: number | undefined = 0;
  for (let start = 0; start < texts.length; start += target.maxInputs) {
    const inputs = texts.slice(start, start + target.maxInputs);
    const reply = await createEmbedding(
      batchFor(target, inputs, { inputType }),
      ownCall({ target, signal: untilTimeout(signal, callMs), timeoutMs: callMs }),
    );
    promptTokens = sumOf(promptTokens, reply.promptTokens);
    reportedUsd = sumOf(reportedUsd, reply.reportedUsd);
    const verified = await verifyEmbeddings(reply, {
      count: inputs.length,
      dimensions: undefined,
      model,
      normalizes: target.normalizes,
    });
    // Copied: the memory of a reply may be reused.
    vectors.push(...verified.map((vector) => Float32Array.from(vector.toFloats())));
  }
  return { vectors, promptTokens, reportedUsd };
}

/** Undefined if one of them is. */
function sumOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
