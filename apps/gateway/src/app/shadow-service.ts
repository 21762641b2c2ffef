import { internalKeys } from "../domain/internal-keys.js";
import { noTrace } from "../domain/trace.js";
import { type EmbedForShadow, Shadow } from "../embeddings/shadow.js";
import { createOwnRunner } from "../execution/own-request.js";
import { kindOf } from "../models/kinds/kinds.js";
import type { CurrentPipeline } from "./current-pipeline.js";
import type { Services } from "./services.js";

interface ShadowServiceOptions {
  readonly services: Services;
  readonly current: CurrentPipeline;
}

/** Calls shadows through the current pipeline. Each call is in the ledger, under the gateway's own key. */
export function openShadow({ services, current }: ShadowServiceOptions): Shadow {
  return new Shadow({
    clock: services.wallClock,
    random: Math.random,
    modelNamed: (id) => current.served.models.get(id),
    embed: createEmbed({ services, current }),
  });
}

function createEmbed({ services, current }: ShadowServiceOptions): EmbedForShadow {
  const { shadow } = internalKeys;
  const runOwn = createOwnRunner(services);
  return ({ model, texts, dimensions, inputType, key }, signal) => {
    const { mainOperation: operation } = kindOf(model);
    const request = { key: shadow, operation, model: model.id, signal };
    return runOwn(request, async ({ summary, meter }) => {
      const held = services.memory.open();
      try {
        const { via, cache, tokensEstimated, release, ...result } = await current.pipeline.embeddings.create(
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
