import { GatewayError } from "@model-gateway/domain/errors";
import { type Model, type Target, targetKey } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Handler } from "../../execution/handler.js";
import type { RequestContext } from "../../execution/request-context.js";
import { servedKindOf } from "../../models/kinds/served-kinds.js";
import type { Catalog } from "../catalog.js";
import { dollars } from "../documents/ledger-query.js";
import { describeProbeError } from "../documents/ProbeError.js";
import { findTarget } from "../find-target.js";
import type { ObserveState } from "./checkReadiness.js";

/** Calls a target once, whatever its state. Built by `app/probe-target.ts`. */
export type ProbeTarget = (model: Model, target: Target, context: RequestContext) => Promise<ProbeOutcome>;

interface ProbeOutcome {
  readonly operation: Schemas["Probe"]["operation"];
  readonly ms: number;
  readonly failure: GatewayError | undefined;
  /** In billionths of a US dollar; null if the cost is unknown. */
  readonly costNanos: number | null;
}

export interface ProbeHandlerServices {
  readonly catalog: Catalog;
  readonly probe: ProbeTarget;
  readonly observe: ObserveState;
}

export function probeTarget({ catalog, probe, observe }: ProbeHandlerServices): Handler<"probeTarget"> {
  return async ({ body, context }) => {
    const model = catalog.find(body.model);
    if (model === undefined)
      throw new GatewayError("model_not_found", `The model \`${body.model}\` does not exist.`, {
        param: "model",
      });
    const target = findTarget(model, body);
    const { probeCost } = servedKindOf(model);
    if (probeCost !== undefined && body.confirm_cost !== true)
      throw new GatewayError("invalid_value", `${probeCost}: 'confirm_cost' must be true.`, {
        param: "confirm_cost",
      });
    const { operation, ms, failure, costNanos } = await probe(model, target, context);
    const { targets } = await observe();
    const state = targets.find((one) => targetKey(one) === targetKey(target))?.state;
    return {
      body: {
        object: "probe",
        model: model.id,
        upstream: target.upstream,
        target_model: target.model,
        operation,
        ok: failure === undefined,
        ms: Math.round(ms * 10) / 10,
        error: failure === undefined ? null : describeProbeError(failure),
        cost_usd: dollars(costNanos),
        state: state ?? (failure === undefined ? "healthy" : "failing"),
      },
    };
  };
}
