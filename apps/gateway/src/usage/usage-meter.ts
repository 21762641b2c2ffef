import type { AccessKey, UsageLimits } from "@model-gateway/domain/access-key";
import { countedAs } from "@model-gateway/domain/model";
import type { Budgets, Reservation } from "../limits/budgets.js";
import type { AdmittedRequest, LimitScope, LimitSubject, RateLimits } from "../limits/limits.js";
import { sumCosts, type UsedAmounts } from "./cost.js";

export interface UsageMeterOptions {
  readonly limits: RateLimits;
  readonly budgets: Budgets;
}

/** The model, and the estimated amounts that a request will use. */
export interface MeteredRequest {
  readonly model: {
    readonly id: string;
    readonly pattern?: string;
    readonly limits?: UsageLimits;
  };
  readonly tokens: number;
  /** Absent: none. */
  readonly images?: number;
  /** In billionths of a US dollar, at the most expensive target; null if no price is known. */
  readonly costNanos: number | null;
  /**
   * Whether the estimates count for a caller that leaves before anything was counted: the upstream call may be shared
   * with other callers. Absent: the code that makes the call reports its outcome.
   */
  readonly countsIfAbandoned?: true;
}

/** A request's usage. */
export interface UsageTotals extends UsedAmounts {
  /** The distinct inputs served by the cache. */
  readonly cachedInputs: number;
  /** Their cost without the cache; null if unknown. */
  readonly savedNanos: number | null;
  /** The amount that the budget counts for an unknown cost; 0 if the cost is known, or if no price is. */
  readonly estimatedNanos: number;
}

/**
 * Meters one request. Before any upstream is called, `admit` takes the estimated usage from the limits and `reserve`
 * the estimated cost from the budget; `open` does both. `add` and `markCostUnknown` count the usage. `close` replaces
 * the estimates by the counts, once, and returns the totals.
 */
export class UsageMeter {
  readonly #options: UsageMeterOptions;
  readonly #key: AccessKey;
  #request: MeteredRequest | undefined;
  #admitted: AdmittedRequest | undefined;
  /** By the limits of a fallback. */
  #admittedByFallback: AdmittedRequest | undefined;
  #reservation: Reservation | undefined;
  #isClosed = false;
  #inputTokens = 0;
  #outputTokens = 0;
  #images = 0;
  #costNanos: number | null = 0;
  #isCostUnknown = false;
  #cachedInputs = 0;
  #savedNanos: number | null = 0;

  constructor(key: AccessKey, options: UsageMeterOptions) {
    this.#key = key;
    this.#options = options;
  }

  /** `admit` and `reserve` together. Rejects if a limit or the budget is exceeded. */
  async open(request: MeteredRequest): Promise<void> {
    await this.admit(request);
    if (this.#key.budget !== undefined) await this.reserve();
  }

  /** Takes the estimated amounts from the limits only, for a request that may turn out to cost nothing. */
  async admit(request: MeteredRequest, scope?: LimitScope): Promise<void> {
    const { model, tokens, images = 0 } = request;
    this.#request = request;
    const subjects: LimitSubject[] = [
      this.#keySubject,
      { name: "model", id: countedAs(model), limits: model.limits },
    ];
    this.#admitted = await this.#options.limits.admit(subjects, { tokens, images }, scope);
    this.#refuseIfClosed();
  }

  /** Takes one request from the limits of the key, for an operation without a model. */
  async admitRequest(): Promise<void> {
    this.#admitted = await this.#options.limits.admit([this.#keySubject], { tokens: 0, images: 0 });
    this.#refuseIfClosed();
  }

  get #keySubject(): LimitSubject {
    return { name: "key", id: this.#key.id, limits: this.#key.limits };
  }

  /** Reserves the estimated cost. It follows `admit`, before the first call that costs money. */
  async reserve(): Promise<void> {
    if (this.#request === undefined) throw new Error("reserve() was called before admit().");
    this.#reservation = await this.#options.budgets.reserve(this.#key, this.#request.costNanos);
    this.#refuseIfClosed();
  }

  /**
   * Another model serves the request. It counts in the limits of both models, and its estimated cost replaces the
   * reserved one. Call it before anything was used.
   */
  async changeModel(request: MeteredRequest): Promise<void> {
    const { model, tokens, images = 0 } = request;
    const subject: LimitSubject = { name: "model", id: countedAs(model), limits: model.limits };
    this.#admittedByFallback = await this.#options.limits.admit([subject], { tokens, images });
    this.#refuseIfClosed();
    this.#request = request;
    const reservation = this.#reservation;
    this.#reservation = undefined;
    reservation?.settle(0);
    await this.reserve();
  }

  /** Counts usage: the amounts are the caller's, the cost is the upstreams'. */
  add({ inputTokens, outputTokens, images, costNanos }: UsedAmounts): void {
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    this.#images += images;
    this.#costNanos = sumCosts(this.#costNanos, costNanos);
  }

  /** The estimated cost; null if no price is known, or if nothing was admitted. */
  get estimatedNanos(): number | null {
    return this.#request?.costNanos ?? null;
  }

  /** The usage so far. */
  get used(): UsedAmounts {
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      images: this.#images,
      costNanos: this.#isCostUnknown ? null : this.#costNanos,
    };
  }

  /** The distinct inputs served by the cache. */
  get cachedInputs(): number {
    return this.#cachedInputs;
  }

  /** Notes the inputs that the cache served, and the cost that it saved. */
  addCached(inputs: number, savedNanos: number | null): void {
    this.#cachedInputs = inputs;
    this.#savedNanos = savedNanos;
  }

  /** An upstream was called and its reply was lost, so it may have charged for the call. */
  markCostUnknown(): void {
    this.#isCostUnknown = true;
  }

  /** The `x-ratelimit-*` and `x-gateway-budget-*` headers; empty without a limit and a budget. */
  headers(): Readonly<Record<string, string>> {
    const limits = this.#admitted?.headers() ?? {};
    if (this.#reservation === undefined) return limits;
    // A stream begins before anything is counted.
    const hasNothing = this.#inputTokens === 0 && this.#images === 0;
    return { ...limits, ...this.#reservation.headers(hasNothing ? null : this.#costNanos) };
  }

  /** Returns everything that was taken, as if there had been no request. A request that runs later counts then. */
  giveBack(): void {
    this.#admitted?.settle({ requests: 0, tokens: 0, images: 0 });
    this.#settle({ isUnknown: false });
  }

  /** Settles the limits and the budget. If the usage is unknown, the estimates count and the cost is unknown. */
  close({ isAbandoned }: { readonly isAbandoned: boolean }): UsageTotals {
    this.#isClosed = true;
    const hasNothing = this.#inputTokens === 0 && this.#images === 0;
    const counts = this.#admitted !== undefined && this.#request?.countsIfAbandoned === true;
    const isUnmetered = isAbandoned && hasNothing && counts;
    // A free model costs nothing, whatever became of the call.
    if ((isUnmetered || this.#isCostUnknown) && this.#request?.costNanos !== 0) this.#costNanos = null;
    this.#settle({ isUnknown: isUnmetered || (hasNothing && this.#isCostUnknown) });
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      images: this.#images,
      costNanos: this.#costNanos,
      cachedInputs: this.#cachedInputs,
      savedNanos: this.#savedNanos,
      estimatedNanos: this.#costNanos === null ? Math.round(this.estimatedNanos ?? 0) : 0,
    };
  }

  /** `close` may run while `open` waits. Resources that `open` then gets must be released here. */
  #refuseIfClosed(): void {
    if (!this.#isClosed) return;
    this.#settle({ isUnknown: false });
    throw new Error("The request ended before it was admitted.");
  }

  #settle({ isUnknown }: { readonly isUnknown: boolean }): void {
    const reservation = this.#reservation;
    const admitted = this.#admitted;
    const admittedByFallback = this.#admittedByFallback;
    this.#admitted = undefined;
    this.#admittedByFallback = undefined;
    this.#reservation = undefined;
    if (!isUnknown) {
      const used = { tokens: this.#inputTokens, images: this.#images };
      admitted?.settle(used);
      admittedByFallback?.settle(used);
    }
    admitted?.release();
    admittedByFallback?.release();
    reservation?.settle(this.#costNanos);
  }
}

/** About four English letters, or one and a third Chinese ones. */
const bytesPerToken = 4;

/** An estimate: only the model knows the exact number of tokens. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
