import type { Priority } from "@model-gateway/domain/access-key";
import { errorTable, isErrorCode } from "@model-gateway/domain/errors";
import type { OperationId } from "@model-gateway/domain/operations";
import type { FinishedAttempt } from "@model-gateway/scheduling/dispatch";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import { createTally, observe, type Tally } from "./histogram.js";

/** The fields of a finished request that are counted. Every ledger row has them. */
export type FinishedRequest = Pick<
  LedgerRow,
  | "model"
  | "upstream"
  | "attempts"
  | "status"
  | "inputTokens"
  | "outputTokens"
  | "images"
  | "costNanos"
  | "ms"
  | "cache"
  | "errorCode"
> & {
  /** Null if the path matched no operation. */
  readonly operation: OperationId | null;
};

/** Configured names. Labels take no others, for any number that a caller invents. */
export interface KnownNames {
  readonly isModel: (id: string) => boolean;
  readonly isUpstream: (name: string) => boolean;
}

/** Seconds. The last bound is the longest an image may take. */
export const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Counts of all requests with the same labels. */
export interface RequestTally {
  readonly labels: {
    readonly operation: string;
    readonly model: string;
    readonly upstream: string;
    readonly outcome: RequestOutcome;
    readonly code: string;
    readonly cache: LedgerRow["cache"];
    readonly priority: Priority;
  };
  readonly seconds: Tally;
  retries: number;
  inputTokens: number;
  outputTokens: number;
  images: number;
  costNanos: number;
  unpriced: number;
}

interface AttemptTally {
  readonly labels: {
    readonly operation: string;
    readonly upstream: string;
    readonly outcome: RequestOutcome;
  };
  readonly seconds: Tally;
}

/** Counts requests at the cost of one map lookup and a few additions each. */
export class RequestTallies {
  readonly #known: KnownNames;
  readonly #requests = new Map<string, RequestTally>();
  readonly #attempts = new Map<string, AttemptTally>();
  readonly #inFlight = new Map<string, number>();

  constructor(known: KnownNames) {
    this.#known = known;
  }

  get requests(): Iterable<RequestTally> {
    return this.#requests.values();
  }

  get attempts(): Iterable<AttemptTally> {
    return this.#attempts.values();
  }

  /** Requests in flight, by operation. */
  get inFlight(): ReadonlyMap<string, number> {
    return this.#inFlight;
  }

  begin(operation: OperationId | null): void {
    const label = operation ?? none;
    this.#inFlight.set(label, (this.#inFlight.get(label) ?? 0) + 1);
  }

  end(request: FinishedRequest, priority: Priority = "interactive"): void {
    const { inputTokens, outputTokens, images, costNanos } = request;
    const tally = this.#requests.get(keyOf(request, priority)) ?? this.#addRequest(request, priority);
    observe(tally.seconds, durationBounds, request.ms / 1000);
    tally.retries += Math.max(0, request.attempts - 1);
    tally.inputTokens += inputTokens;
    tally.outputTokens += outputTokens;
    tally.images += images;
    if (costNanos !== null) tally.costNanos += costNanos;
    else if (inputTokens + outputTokens + images > 0) tally.unpriced += 1;
    const label = request.operation ?? none;
    this.#inFlight.set(label, Math.max(0, (this.#inFlight.get(label) ?? 0) - 1));
  }

  onAttempt({ operation, upstream, errorCode, ms }: FinishedAttempt): void {
    // An attempt is cancelled when its caller has left or a hedged attempt was faster: no fault of the gateway.
    const outcome = errorCode === null ? "ok" : outcomeOf(errorCode === "cancelled" ? 499 : 500, errorCode);
    const tally =
      this.#attempts.get(joined(operation, outcome, upstream)) ??
      this.#addAttempt({ operation, outcome, upstream });
    observe(tally.seconds, durationBounds, ms / 1000);
  }

  #addRequest(request: FinishedRequest, priority: Priority): RequestTally {
    const { operation, status, cache, errorCode } = request;
    const names = {
      model: nameLabel(request.model, this.#known.isModel),
      upstream: nameLabel(request.upstream, this.#known.isUpstream),
      code: codeLabel(errorCode),
    };
    // Unknown names share one tally, so that callers cannot grow the map without bound.
    const isKnown = !Object.values(names).includes(unknown);
    const key = keyOf(isKnown ? request : { ...request, ...names, errorCode: names.code }, priority);
    const tally = this.#requests.get(key) ?? {
      labels: {
        ...names,
        operation: operation ?? none,
        outcome: outcomeOf(status, errorCode),
        cache,
        priority,
      },
      seconds: createTally(durationBounds),
      retries: 0,
      inputTokens: 0,
      outputTokens: 0,
      images: 0,
      costNanos: 0,
      unpriced: 0,
    };
    this.#requests.set(key, tally);
    return tally;
  }

  #addAttempt({ operation, outcome, upstream }: AttemptTally["labels"]): AttemptTally {
    const labels = { operation, outcome, upstream: nameLabel(upstream, this.#known.isUpstream) };
    const key = joined(operation, outcome, labels.upstream);
    const tally = this.#attempts.get(key) ?? { labels, seconds: createTally(durationBounds) };
    this.#attempts.set(key, tally);
    return tally;
  }
}

const ownFailures: ReadonlySet<string | null> = new Set([
  "storage_unavailable",
  "image_store_unavailable",
  "file_store_unavailable",
  "storage_full",
  "idempotency_unavailable",
  "gateway_overloaded",
]);

/** Who has to act on a request's result. */
type RequestOutcome = "ok" | "caller" | "limited" | "upstream" | "gateway";

/** The code takes precedence: a stream may fail after its 200 was sent. */
export function outcomeOf(status: number, errorCode: string | null): RequestOutcome {
  const effective = isErrorCode(errorCode) ? errorTable[errorCode].status : status;
  if (effective < 400) return "ok";
  if (effective === 429) return "limited";
  if (effective < 500) return "caller";
  // The gateway's own 503, not an upstream's.
  if (ownFailures.has(errorCode)) return "gateway";
  return effective === 502 || effective === 503 || effective === 504 ? "upstream" : "gateway";
}

/** The label for an absent value. */
export const none = "none";
const unknown = "unknown";

function nameLabel(name: string | null, isKnown: (name: string) => boolean): string {
  if (name === null) return none;
  return isKnown(name) ? name : unknown;
}

/** A code of the error table, `none` or `unknown`. */
function codeLabel(errorCode: string | null): string {
  if (errorCode === null) return none;
  return isErrorCode(errorCode) || errorCode === callerLeft ? errorCode : unknown;
}

/** Logged in place of an error code, but never sent: the caller is gone. */
const callerLeft = "caller_left";

function keyOf(request: FinishedRequest, priority: Priority): string {
  const { operation, model, upstream, status, errorCode, cache } = request;
  return `${priority}\0${operation ?? ""}\0${model ?? ""}\0${upstream ?? ""}\0${status}\0${errorCode ?? ""}\0${cache ?? ""}`;
}

function joined(operation: string, outcome: RequestOutcome, upstream: string): string {
  return `${operation}\0${outcome}\0${upstream}`;
}
