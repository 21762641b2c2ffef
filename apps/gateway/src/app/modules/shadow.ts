import { kindOf } from "@model-gateway/config/kinds/kinds";
import { internalKeys } from "@model-gateway/domain/internal-keys";
import { noTrace } from "@model-gateway/domain/trace";
import { type EmbedForShadow, Shadow } from "../../embeddings/shadow.js";
import { createOwnRunner } from "../../execution/own-request.js";
import { stateMetrics } from "../../telemetry/metrics/state-metrics.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

/** Calls shadows through the current pipeline. Each call is in the ledger, under the gateway's own key. */
export const shadow = defineModule({
  name: "shadow",
  open: (needs: Core) => {
    const opened = new Shadow({
      clock: needs.wallClock,
      random: Math.random,
      modelNamed: (id) => needs.current.served.models.get(id),
      embed: createEmbed(needs),
    });
    return {
      services: { shadow: opened },
      metrics: () => stateMetrics({ shadows: () => opened.figures() }),
      drain: () => opened.close(),
    };
  },
});

function createEmbed(services: Core): EmbedForShadow {
  const { shadow } = internalKeys;
  const runOwn = createOwnRunner(services);
  return ({ model, texts, dimensions, inputType, key }, signal) => {
    const { mainOperation: operation } = kindOf(model);
    const request = { key: shadow, operation, model: model.id, signal };
    return runOwn(request, async ({ summary, meter }) => {
      const held = services.memory.open();
      try {
        const { via, cache, tokensEstimated, release, ...result } =
          await services.current.pipeline.embeddings.create(
            { input: [...texts], encoding_format: "base64", dimensions, input_type: inputType },
            {
              model,
              context: { caller: shadow.id, signal, trace: noTrace, bulk: { place: 0 } },
              key,
              meter,
              memory: held,
              cache: { read: true, write: true },
            },
          );
        const vectors = result.vectors.map((vector) => Float32Array.from(vector.toFloats()));
        release?.();
        summary.cache = cache;
        if (tokensEstimated) summary.tokensEstimated = true;
        summary.upstream = via?.upstream;
        summary.attempts = via?.attempts;
        return { vectors, cached: meter.cachedInputs };
      } finally {
        // No caller has asked for these vectors yet, so a hit saves nothing.
        meter.addCached(meter.cachedInputs, 0);
        held.release();
      }
    });
  };
}
