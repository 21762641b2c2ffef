import { probeTexts } from "@model-gateway/vector-check/probes";
import type { AccessKey } from "../domain/access-key.js";
import type { EmbeddingTarget } from "../domain/model.js";
import { callCost, estimateInputTokens } from "../embeddings/cost.js";
import { GatewayError } from "../errors.js";
import type { OpenUpstream } from "../providers/provider.js";
import { type EmbeddedProbes, embedProbes } from "../spaces/embed-at-target.js";
import { probeImagesFor } from "../spaces/probe-images.js";
import type { EmbedProbes } from "../spaces/space-checks.js";
import { nanosPerUsd } from "../usage/cost.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import { createOwnRows, failedOutcome } from "./own-row.js";
import type { Services } from "./services.js";

interface ProbeEmbedderOptions {
  readonly services: Pick<Services, "ledger" | "requestIds" | "clock" | "secrets" | "scheduler">;
  /** One of the gateway's own keys, for the ledger. */
  readonly key: Pick<AccessKey, "id" | "name">;
  readonly upstreams: () => ReadonlyMap<string, OpenUpstream>;
}

/** Embeds the probe texts and images at targets. Each check is in the ledger, under the gateway's own key. */
export function createProbeEmbedder({ services, key, upstreams }: ProbeEmbedderOptions): EmbedProbes {
  const beginRow = createOwnRows(services, key);
  return async (target, signal) => {
    const { upstream, inputType, asks } = target;
    const finishRow = beginRow(asks.model.id);
    const called = { upstream, attempts: 1 };
    try {
      const { usage, ...probes } = await embedProbes({
        ...asks,
        operations: upstreams().get(upstream)?.provider.operations ?? {},
        inputType: inputType === "" ? undefined : inputType,
        signal,
      });
      services.scheduler.noteOwnCall(asks.target, undefined);
      await finishRow({
        ...called,
        ...(await costOf(asks.target, { usage, images: probes.images?.length ?? 0 })),
      });
      return probes;
    } catch (thrown) {
      if (thrown instanceof GatewayError && !signal.aborted)
        services.scheduler.noteOwnCall(asks.target, thrown);
      // Whether a failed call is billed is not known, unless it is certain that nothing was made.
      const costNanos = thrown instanceof GatewayError && thrown.nothingBilled ? 0 : null;
      await finishRow({ ...called, ...failedOutcome(thrown, services.secrets), costNanos });
      throw thrown;
    }
  };
}

async function costOf(
  target: EmbeddingTarget,
  { usage, images }: Pick<EmbeddedProbes, "usage"> & { readonly images: number },
): Promise<Pick<LedgerRow, "inputTokens" | "images" | "costNanos" | "tokensEstimated">> {
  const { promptTokens, reportedUsd, imageTokens: tokens } = usage;
  const inputs = [...probeTexts, ...(images === 0 ? [] : probeImagesFor(target))];
  const inputTokens = promptTokens ?? (await estimateInputTokens(inputs));
  const reportedNanos = reportedUsd === undefined ? undefined : Math.round(reportedUsd * nanosPerUsd);
  const costNanos = callCost(target, inputTokens, { reportedNanos, images: { count: images, tokens } });
  return { inputTokens, images, costNanos, tokensEstimated: promptTokens === undefined };
}
