import { kindOf } from "@model-gateway/config/kinds/kinds";
import type { AccessKey } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import type { EmbeddingTarget } from "@model-gateway/domain/model";
import type { OpenUpstream } from "@model-gateway/providers/provider";
import { probeTexts } from "@model-gateway/vector-check/probes";
import { callCost, estimateInputTokens } from "../embeddings/cost.js";
import { callTarget, createOwnRunner } from "../execution/own-request.js";
import { type EmbeddedProbes, embedProbes } from "../spaces/embed-at-target.js";
import { probeImagesFor } from "../spaces/probe-images.js";
import type { EmbedProbes } from "../spaces/space-checks.js";
import { nanosPerUsd, type UsedAmounts } from "../usage/cost.js";
import type { Core } from "./modules/core.js";

interface ProbeEmbedderOptions {
  readonly services: Core;
  /** One of the gateway's own keys, for the ledger. */
  readonly key: Pick<AccessKey, "id" | "name">;
  readonly upstreams: () => ReadonlyMap<string, OpenUpstream>;
}

/** Embeds the probe texts and images at targets. Each check is in the ledger, under the gateway's own key. */
export function createProbeEmbedder({ services, key, upstreams }: ProbeEmbedderOptions): EmbedProbes {
  const runOwn = createOwnRunner(services);
  return ({ upstream, inputType, asks }, signal) => {
    const embed = async () => {
      try {
        const embedded = await embedProbes({
          ...asks,
          operations: upstreams().get(upstream)?.provider.operations ?? {},
          inputType: inputType === "" ? undefined : inputType,
          signal,
        });
        services.scheduler.noteOwnCall(asks.target, undefined);
        return embedded;
      } catch (thrown) {
        if (thrown instanceof GatewayError && !signal.aborted)
          services.scheduler.noteOwnCall(asks.target, thrown);
        throw thrown;
      }
    };
    const { mainOperation: operation } = kindOf(asks.model);
    const request = { key, operation, model: asks.model.id, signal };
    return runOwn(request, async (own) => {
      const { usage, ...probes } = await callTarget(own, upstream, embed);
      const images = probes.images?.length ?? 0;
      own.meter.add(await usedBy(asks.target, { usage, images }));
      if (usage.promptTokens === undefined) own.summary.tokensEstimated = true;
      return probes;
    });
  };
}

async function usedBy(
  target: EmbeddingTarget,
  { usage, images }: Pick<EmbeddedProbes, "usage"> & { readonly images: number },
): Promise<UsedAmounts> {
  const { promptTokens, reportedUsd, imageTokens: tokens } = usage;
  const inputs = [...probeTexts, ...(images === 0 ? [] : probeImagesFor(target))];
  const inputTokens = promptTokens ?? (await estimateInputTokens(inputs));
  const reportedNanos = reportedUsd === undefined ? undefined : Math.round(reportedUsd * nanosPerUsd);
  const costNanos = callCost(target, inputTokens, { reportedNanos, images: { count: images, tokens } });
  return { inputTokens, outputTokens: 0, images, costNanos };
}
