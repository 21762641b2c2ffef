import type { AccessKey } from "../domain/access-key.js";
import { internalKeys } from "../domain/internal-keys.js";
import { noTrace } from "../domain/trace.js";
import { type EmbedForShadow, Shadow } from "../embeddings/shadow.js";
import { GatewayError } from "../errors.js";
import { UsageMeter } from "../usage/usage-meter.js";
import type { CurrentPipeline } from "./current-pipeline.js";
import { createOwnRows, type FinishRow, failedOutcome } from "./own-row.js";
import type { Services } from "./services.js";

interface ShadowServiceOptions {
  readonly services: Services;
  readonly current: CurrentPipeline;
}

/** The gateway itself. */
const shadowKey: AccessKey = { ...internalKeys.shadow, limits: {}, isDisabled: false };

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
  const { memory, usage } = services;
  const beginRow = createOwnRows(services, shadowKey);
  return async ({ model, texts, dimensions, inputType, key }, signal) => {
    const finishRow = beginRow(model.id);
    const meter = new UsageMeter(shadowKey, usage);
    const held = memory.open();
    const finish: FinishRow = (outcome) => {
      const used = meter.close({ isAbandoned: signal.aborted });
      // No caller has asked for these vectors yet, so a hit saves nothing.
      return finishRow({ ...used, ...outcome, savedNanos: 0 });
    };
    try {
      const result = await current.pipeline.embeddings.create(
        { input: [...texts], encoding_format: "base64", dimensions, input_type: inputType },
        {
          model,
          context: { caller: shadowKey.id, signal, trace: noTrace, bulk: { place: 0 } },
          key,
          meter,
          memory: held,
          cache: { read: true, write: true },
        },
      );
      const { via, cache, tokensEstimated, release } = result;
      const vectors = result.vectors.map((vector) => Float32Array.from(vector.toFloats()));
      release?.();
      const fetched = via && { upstream: via.upstream, attempts: via.attempts };
      const { cachedInputs } = await finish({ ...fetched, cache: cache ?? null, tokensEstimated });
      return { vectors, cached: cachedInputs };
    } catch (thrown) {
      const upstream = thrown instanceof GatewayError ? thrown.upstream : undefined;
      await finish({
        ...failedOutcome(thrown, services.secrets),
        ...(upstream !== undefined && { upstream }),
      });
      throw thrown;
    } finally {
      held.release();
    }
  };
}
