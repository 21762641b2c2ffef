import type { CredentialState } from "@model-gateway/domain/credential-state";
import { GatewayError } from "@model-gateway/domain/errors";
import { backoffMs } from "@model-gateway/runtime/backoff";
import type { Clock } from "@model-gateway/runtime/clock";

export interface IssuedValue<T> {
  readonly value: T;
  /** Infinite for a value that does not expire. */
  readonly lifetimeMs: number;
  /** Where it is from, if only a call could find that. Default: the source of the credential. */
  readonly source?: string;
}

/** Asks the issuer for a value. The signal aborts when that takes too long. */
export type IssueValue<T> = (signal: AbortSignal) => Promise<IssuedValue<T>>;

interface CredentialOptions<T> {
  /** Where it is from, in words that complete "from": `the managed identity of this machine`. No secret. */
  readonly source: string;
  readonly issue: IssueValue<T>;
  /** The monotonic clock. */
  readonly clock: Pick<Clock, "now">;
  /** Milliseconds since 1970. */
  readonly timeOfDay: () => number;
}

interface HeldValue<T> {
  readonly value: T;
  readonly renewAt: number;
  readonly expiresAt: number;
  readonly issuedAt: number;
}

const issueTimeoutMs = 10_000;
/** A value is renewed this long before it expires, or when a fifth of its life is left if that is later. */
const renewBeforeMs = 5 * 60_000;
/** After failures the issuer is left alone for a while. Until it expires, the last value is used. */
const retry = { firstMs: 500, maxMs: 5000 };

/**
 * A credential that expires: held, and renewed before its end. It is single-flight: any number of waiting requests cause
 * one call to the issuer.
 */
export class ExpiringCredential<T> {
  readonly #options: CredentialOptions<T>;
  #source: string;
  #held: HeldValue<T> | undefined;
  #issuing: Promise<HeldValue<T>> | undefined;
  #failure: GatewayError | undefined;
  #failures = 0;
  #retryAt = 0;

  constructor(options: CredentialOptions<T>) {
    this.#options = options;
    this.#source = options.source;
  }

  /** Not a promise where the value is known already. */
  current(signal: AbortSignal): T | Promise<T> {
    const now = this.#options.clock.now();
    const held = this.#held;
    const isPaused = now < this.#retryAt && this.#issuing === undefined;
    if (held === undefined || now >= held.expiresAt)
      return isPaused && this.#failure !== undefined
        ? Promise.reject(this.#failure)
        : untilAborted(this.#renew(), signal).then(({ value }) => value);
    // In the background: the value is still valid. A caller that finds it expired gets the failure.
    if (now >= held.renewAt && !isPaused) this.#renew().catch(() => undefined);
    return held.value;
  }

  /**
   * The upstream has refused this value. Another one, which was issued since, is kept. Returns whether there may be
   * another one: a value that does not expire would be the same.
   */
  giveUp(isRefused: (value: T) => boolean): boolean {
    if (this.#held === undefined || !isRefused(this.#held.value)) return true;
    if (this.#held.expiresAt === Number.POSITIVE_INFINITY) return false;
    this.#held = undefined;
    return true;
  }

  state(): CredentialState {
    const { clock, timeOfDay } = this.#options;
    const now = clock.now();
    const held = this.#held !== undefined && now < this.#held.expiresAt ? this.#held : undefined;
    const hasFailed = this.#failure !== undefined;
    const leftMs = held === undefined ? Number.NaN : held.expiresAt - now;
    return {
      source: this.#source,
      status: held === undefined ? (hasFailed ? "missing" : "idle") : hasFailed ? "failing" : "valid",
      expiresAt: Number.isFinite(leftMs) ? timeOfDay() + leftMs : null,
      renewedAt: held?.issuedAt ?? null,
      error: hasFailed ? describeCause(this.#failure?.cause) : null,
    };
  }

  #renew(): Promise<HeldValue<T>> {
    this.#issuing ??= this.#issue().finally(() => {
      this.#issuing = undefined;
    });
    return this.#issuing;
  }

  async #issue(): Promise<HeldValue<T>> {
    const { issue, clock, timeOfDay } = this.#options;
    try {
      const { value, lifetimeMs, source } = await issue(AbortSignal.timeout(issueTimeoutMs));
      const now = clock.now();
      const held = {
        value,
        renewAt: now + lifetimeMs - Math.min(renewBeforeMs, lifetimeMs / 5),
        expiresAt: now + lifetimeMs,
        issuedAt: timeOfDay(),
      };
      this.#held = held;
      this.#source = source ?? this.#source;
      this.#failure = undefined;
      this.#failures = 0;
      this.#retryAt = 0;
      return held;
    } catch (cause) {
      this.#failures += 1;
      this.#retryAt = clock.now() + backoffMs(this.#failures, retry);
      this.#failure = new GatewayError(
        "upstream_auth_error",
        "The gateway could not get credentials for the upstream.",
        { cause, nothingBilled: true },
      );
      throw this.#failure;
    }
  }
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  return cause.name === "TimeoutError"
    ? `The issuer did not reply within ${issueTimeoutMs / 1000} s.`
    : cause.message;
}

/** Rejects with the signal's reason as soon as it aborts. The work goes on. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
