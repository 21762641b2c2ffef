import { probeTexts } from "@model-gateway/vector-check/spaces";
import type { AccessKey } from "../domain/access-key.js";
import { callCost, estimateInputTokens } from "../embeddings/cost.js";
import { GatewayError } from "../errors.js";
import type { OpenUpstream } from "../providers/provider.js";
import type { TargetToCheck } from "../spaces/checked-targets.js";
import { embedAtTarget } from "../spaces/embed-at-target.js";
import type { EmbedProbeTexts } from "../spaces/space-checks.js";
import { nanosPerUsd } from "../usage/cost.js";
import { createOwnRows, failedOutcome } from "./own-row.js";
import type { Services } from "./services.js";

export interface ProbeEmbedderOptions {
  readonly services: Pick<Services, "ledger" | "requestIds" | "clock" | "secrets">;
  /** One of the gateway's own keys, for the ledger. */
  readonly key: Pick<AccessKey, "id" | "name">;
  readonly upstreams: () => ReadonlyMap<string, OpenUpstream>;
}

/** Embeds the probe texts at targets. Each check is in the ledger, under the gateway's own key. */
export function createProbeEmbedder({ services, key, upstreams }: ProbeEmbedderOptions): EmbedProbeTexts {
  const beginRow = createOwnRows(services, key);
  return async (target, signal) => {
    const { upstream, asks } = target;
    const finishRow = beginRow(asks.model.id);
    const called = { upstream, attempts: 1 };
    try {
      const { vectors, promptTokens, reportedUsd } = await ask(target, upstreams(), signal);
      const inputTokens = promptTokens ?? (await estimateInputTokens(probeTexts));
      const reportedNanos = reportedUsd === undefined ? undefined : Math.round(reportedUsd * nanosPerUsd);
      const costNanos = callCost(asks.target, inputTokens, { reportedNanos });
      await finishRow({ ...called, inputTokens, costNanos, tokensEstimated: promptTokens === undefined });
      return vectors;
    } catch (thrown) {
      // Whether a failed call is billed is not known, unless it is certain that nothing was made.
      const costNanos = thrown instanceof GatewayError && thrown.nothingBilled ? 0 : null;
      await finishRow({ ...called, ...failedOutcome(thrown, services.secrets), costNanos });
      throw thrown;
    }
  };
}

function ask(
  { upstream, inputType, asks }: TargetToCheck,
  upstreams: ReadonlyMap<string, OpenUpstream>,
  signal: AbortSignal,
) {
  const createEmbedding = upstreams.get(upstream)?.provider.operations.createEmbedding;
  if (createEmbedding === undefined)
    throw new GatewayError("unsupported_operation", "The upstream creates no embeddings.", {
      nothingBilled: true,
    });
  return embedAtTarget(probeTexts, {
    ...asks,
    createEmbedding,
    inputType: inputType === "" ? undefined : inputType,
    signal,
  });
}
