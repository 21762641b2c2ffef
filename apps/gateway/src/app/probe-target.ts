import { kindOf } from "@model-gateway/config/kinds/kinds";
import { GatewayError } from "@model-gateway/domain/errors";
import { internalKeys } from "@model-gateway/domain/internal-keys";
import { countedAs, type Model, type Target } from "@model-gateway/domain/model";
import { type CallOnceOptions, callOnce } from "@model-gateway/scheduling/call-once";
import type { ProbeTarget } from "../api/operations/probeTarget.js";
import { callTarget, type RunOwn } from "../execution/own-request.js";
import type { ProbeTools } from "../models/kinds/served-kind.js";
import { servedKindOf } from "../models/kinds/served-kinds.js";

interface ProbeOptions extends CallOnceOptions {
  readonly runOwn: RunOwn;
  /** Publishes a healthy target to the other workers. */
  readonly publishHealed: (target: Pick<Target, "upstream" | "model">) => Promise<unknown>;
}

/** Probes targets with small real calls. They are in the ledger, under the gateway's own key. */
export function createProbe(options: ProbeOptions): ProbeTarget {
  return async (model, target, context) => {
    const { clock, runOwn, publishHealed } = options;
    const operation = kindOf(model).mainOperation;
    const startedAt = clock.now();
    let [ms, costNanos]: [number, number | null] = [0, null];
    let failure: GatewayError | undefined;
    const { signal, trace } = context;
    const { id: caller } = internalKeys.probe;
    const tools: ProbeTools = {
      dispatcher: { dispatch: (request) => callOnce(request, options) },
      context: { caller, signal, trace },
    };
    const request = { key: internalKeys.probe, operation, model: countedAs(model), signal, askedBy: context };
    try {
      await runOwn(request, (own) => {
        const probe = async () => own.meter.add(await servedKindOf(model).probe(only(model, target), tools));
        return callTarget(own, target.upstream, probe).finally(() => {
          ms = clock.now() - startedAt;
          costNanos = own.meter.used.costNanos;
        });
      });
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown;
      failure = thrown;
    }
    if (failure === undefined) await publishHealed({ upstream: target.upstream, model: target.model });
    return { operation, ms, failure, costNanos };
  };
}

/** The model with one of its targets alone. */
function only(model: Model, target: Target): Model {
  return { ...model, targets: [target] } as unknown as Model;
}
