import type { AccessKey } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { ModelOperation } from "@model-gateway/domain/operations";
import { gatherRows, type Ledger } from "../usage/ledger/ledger.js";
import { UsageMeter, type UsageMeterOptions } from "../usage/usage-meter.js";
import { callerWithKey } from "./caller.js";
import { type Accounting, type FinishOptions, finishRequest } from "./finish-request.js";
import { toGatewayError } from "./note-error.js";
import type { RequestContext } from "./request-context.js";
import { CallerLeftError } from "./request-lifetime.js";
import { RequestSummary, type UpstreamPhase } from "./request-summary.js";

/** A request that the gateway makes for itself: a check of vectors, a probe, or a call of a shadow. */
interface OwnRequest {
  /** One of `internalKeys` (domain/internal-keys.ts). */
  readonly key: Pick<AccessKey, "id" | "name">;
  readonly operation: ModelOperation;
  readonly model: string;
  readonly signal: AbortSignal;
  /** The operator's request that asks for it, which then has its ledger row. Absent: it has its own. */
  readonly askedBy?: Pick<RequestContext, "id" | "arrivedAt" | "requestBytes">;
}

/** The parts of a request that its work adds its facts to. */
interface OwnRun {
  readonly summary: UpstreamPhase;
  readonly meter: UsageMeter;
}

/** Runs a request of the gateway itself. Its ledger row is written however it ends. */
export type RunOwn = <T>(request: OwnRequest, run: (own: OwnRun) => Promise<T>) => Promise<T>;

interface OwnRunnerOptions {
  readonly ledger: Pick<Ledger, "record">;
  readonly usage: UsageMeterOptions;
  readonly requestIds: { next(): string };
  readonly clock: { now(): number };
  readonly secrets: Pick<HideSecrets, "hide">;
  /** Absent: the row goes to the ledger alone. */
  readonly record?: Accounting["record"];
}

export function createOwnRunner(options: OwnRunnerOptions): RunOwn {
  const { ledger, usage, requestIds, clock, secrets, record = gatherRows(ledger) } = options;
  const finishing: FinishOptions = {
    accounting: { ...unobserved, record },
    secrets,
    countedModel: () => undefined,
    now: () => clock.now(),
  };
  return async ({ key: { id: keyId, name }, operation, model, signal, askedBy }, run) => {
    const { id = requestIds.next(), arrivedAt = Date.now(), requestBytes = 0 } = askedBy ?? {};
    const key: AccessKey = { id: keyId, name, limits: {}, isDisabled: false };
    const meter = new UsageMeter(key, usage);
    const summary = new RequestSummary();
    summary.operation = operation;
    summary.caller = callerWithKey(key);
    summary.meter = meter;
    summary.requestBytes = requestBytes;
    summary.model = model;
    const request = { id, arrivedAt, startedAt: clock.now(), summary };
    let status = 200;
    try {
      return await run({ summary, meter });
    } catch (thrown) {
      status = noteFailure(thrown, summary);
      throw thrown;
    } finally {
      await finishRequest(request, { status, isAbandoned: signal.aborted }, finishing);
    }
  };
}

/** The metrics and the ledger's list of begun requests are about callers. */
const unobserved = {
  begin: () => undefined,
  forget: () => undefined,
  metrics: { begin: () => undefined, end: () => undefined },
} satisfies Partial<Accounting>;

/** Returns the status. */
function noteFailure(thrown: unknown, summary: RequestSummary): number {
  if (thrown instanceof CallerLeftError) {
    summary.errorCode = "caller_left";
    return 499;
  }
  const error = toGatewayError(thrown);
  summary.errorCode = error.code;
  // There is no caller who would read another message.
  summary.error = error.with({ recorded: error.operatorMessage });
  summary.upstream ??= error.upstream;
  return error.status;
}

/** Calls one target past the scheduler, which would count and note it otherwise. */
export async function callTarget<T>(
  { summary, meter }: OwnRun,
  upstream: string,
  call: () => Promise<T>,
): Promise<T> {
  summary.upstream = upstream;
  summary.attempts = 1;
  try {
    return await call();
  } catch (thrown) {
    // Whether a failed call is billed is not known, unless it is certain that nothing was made.
    if (!(thrown instanceof GatewayError) || !thrown.nothingBilled) meter.markCostUnknown();
    throw thrown;
  }
}
