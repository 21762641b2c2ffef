import { probeTexts } from "@model-gateway/vector-check/spaces";
import { embeddingCost, estimateInputTokens } from "../embeddings/cost.js";
import { GatewayError } from "../errors.js";
import type { OpenUpstream } from "../providers/provider.js";
import type { TargetToCheck } from "../spaces/checked-targets.js";
import { embedAtTarget } from "../spaces/embed-at-target.js";
import type { EmbedProbeTexts } from "../spaces/space-checks.js";
import { gatherRows } from "../usage/ledger/ledger.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import { beginOwnRow } from "./own-row.js";
import type { Services } from "./services.js";

export interface ProbeEmbedderOptions {
  readonly services: Pick<Services, "ledger" | "requestIds" | "clock">;
  readonly upstreams: () => ReadonlyMap<string, OpenUpstream>;
}

/** The gateway itself. */
const driftKey = { id: "gateway:drift", name: "drift" };

/** Embeds the probe texts at targets. Each check is in the ledger, under the gateway's own key. */
export function createProbeEmbedder({ services, upstreams }: ProbeEmbedderOptions): EmbedProbeTexts {
  const { requestIds, clock } = services;
  const record = gatherRows(services.ledger);
  return async (target, signal) => {
    const { upstream, asks } = target;
    const own = beginOwnRow({
      id: requestIds.next(),
      key: driftKey,
      model: asks.model.id,
      operation: "createEmbedding",
    });
    const row = { ...own, upstream, attempts: 1 };
    const startedAt = clock.now();
    const finish = (result: Partial<LedgerRow>) =>
      record({ ...row, ...result, ms: Math.round((clock.now() - startedAt) * 10) / 10 });
    try {
      const { vectors, promptTokens } = await ask(target, upstreams(), signal);
      const inputTokens = promptTokens ?? (await estimateInputTokens(probeTexts));
      const costNanos = embeddingCost(asks.target.price, inputTokens);
      await finish({ status: 200, inputTokens, costNanos, tokensEstimated: promptTokens === undefined });
      return vectors;
    } catch (thrown) {
      const failure = thrown instanceof GatewayError ? thrown : undefined;
      await finish({
        status: failure?.status ?? 500,
        errorCode: failure?.code ?? "internal_error",
        // Whether a failed call is billed is not known, unless it is certain that nothing was made.
        costNanos: failure?.nothingBilled === true ? 0 : null,
      });
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
