import { internalKeys } from "../domain/internal-keys.js";
import type { Model, Target } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import type { ProbeOutcome, ProbeTarget } from "../http/operations/probeTarget.js";
import type { RequestContext } from "../http/request/request-context.js";
import { kindOf } from "../models/kinds/kinds.js";
import { type CallOnceOptions, callOnce } from "../scheduling/call-once.js";
import type { HideSecrets } from "../secrets/secret-filter.js";
import { nothingUsed, type UsedAmounts } from "../usage/cost.js";
import { emptyRow } from "../usage/ledger/ledger-columns.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import { failureOf } from "./own-row.js";

interface ProbeOptions extends CallOnceOptions {
  /** Writes a ledger row. */
  readonly record: (row: LedgerRow) => Promise<void>;
  /** Publishes a healthy target to the other workers. */
  readonly publishHealed: (target: Pick<Target, "upstream" | "model">) => Promise<unknown>;
  readonly secrets: Pick<HideSecrets, "hide">;
}

/** Probes targets with small real calls. They are in the ledger, under the gateway's own key. */
export function createProbe(options: ProbeOptions): ProbeTarget {
  return async (model, target, context) => {
    const { clock, record, publishHealed, secrets } = options;
    const kind = kindOf(model);
    const operation = kind.mainOperation;
    const startedAt = clock.now();
    let used = nothingUsed;
    let failure: GatewayError | undefined;
    try {
      used = await kind.probe(only(model, target), {
        dispatcher: { dispatch: (request) => callOnce(request, options) },
        context: { caller: probeKey.id, signal: context.signal, trace: context.trace },
      });
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown;
      failure = thrown;
      // Whether a failed call is billed is not known, unless it is certain that nothing was made.
      if (!thrown.nothingBilled) used = { ...nothingUsed, costNanos: null };
    }
    const ms = clock.now() - startedAt;
    if (failure === undefined) await publishHealed({ upstream: target.upstream, model: target.model });
    await record(rowOf({ model, target, context, used, outcome: { operation, ms, failure }, secrets }));
    return { operation, ms, failure, costNanos: used.costNanos };
  };
}

/** The model with one of its targets alone. */
function only(model: Model, target: Target): Model {
  return { ...model, targets: [target] } as unknown as Model;
}

/** The gateway itself. */
const probeKey = internalKeys.probe;

interface RowParts {
  readonly model: Model;
  readonly target: Target;
  readonly context: RequestContext;
  readonly used: UsedAmounts;
  readonly outcome: Omit<ProbeOutcome, "costNanos">;
  readonly secrets: Pick<HideSecrets, "hide">;
}

function rowOf({ model, target, context, used, outcome, secrets }: RowParts): LedgerRow {
  const { operation, ms, failure } = outcome;
  return {
    ...emptyRow,
    id: context.id,
    at: context.arrivedAt,
    keyId: probeKey.id,
    keyName: probeKey.name,
    operation,
    model: model.pattern ?? model.id,
    upstream: target.upstream,
    attempts: 1,
    status: failure?.status ?? 200,
    ...used,
    ms: Math.round(ms * 10) / 10,
    requestBytes: context.requestBytes,
    errorCode: failure?.code ?? null,
    failure: failure === undefined ? null : failureOf(failure, secrets),
  };
}
