import type { AccessKey } from "../domain/access-key.js";
import { noTrace } from "../domain/trace.js";
import { type EmbedForShadow, Shadow } from "../embeddings/shadow.js";
import { GatewayError } from "../errors.js";
import { gatherRows } from "../usage/ledger/ledger.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import { UsageMeter } from "../usage/usage-meter.js";
import type { CurrentPipeline } from "./current-pipeline.js";
import { beginOwnRow } from "./own-row.js";
import type { Services } from "./services.js";

export interface ShadowServiceOptions {
  readonly services: Services;
  readonly current: CurrentPipeline;
}

/** The gateway itself. */
const shadowKey: AccessKey = { id: "gateway:shadow", name: "shadow", limits: {}, isDisabled: false };

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
  const { clock, requestIds, memory, usage } = services;
  const record = gatherRows(services.ledger);
  return async ({ model, texts, dimensions, inputType, key }, signal) => {
    const row = beginOwnRow({
      id: requestIds.next(),
      key: shadowKey,
      model: model.id,
      operation: "createEmbedding",
    });
    const startedAt = clock.now();
    const meter = new UsageMeter(shadowKey, usage);
    const held = memory.open();
    const finish = async (outcome: Partial<LedgerRow>): Promise<LedgerRow> => {
      const used = meter.close({ isAbandoned: signal.aborted });
      const ms = Math.round((clock.now() - startedAt) * 10) / 10;
      // No caller has asked for these vectors yet, so a hit saves nothing.
      const finished = { ...row, ...used, ...outcome, savedNanos: 0, ms };
      await record(finished);
      return finished;
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
      const failure = thrown instanceof GatewayError ? thrown : undefined;
      await finish({
        status: failure?.status ?? 500,
        errorCode: failure?.code ?? "internal_error",
        ...(failure?.upstream === undefined ? {} : { upstream: failure.upstream }),
      });
      throw thrown;
    } finally {
      held.release();
    }
  };
}
