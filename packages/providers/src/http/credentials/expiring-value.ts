import { GatewayError } from "@model-gateway/domain/errors";
import type { Clock } from "@model-gateway/runtime/clock";

export interface IssuedValue<T> {
  readonly value: T;
  readonly lifetimeMs: number;
}

/** Asks the issuer for a value. The signal aborts when that takes too long. */
export type IssueValue<T> = (signal: AbortSignal) => Promise<IssuedValue<T>>;

interface ExpiringValueOptions<T> {
  readonly issue: IssueValue<T>;
  readonly clock: Pick<Clock, "now">;
}

interface HeldValue<T> {
  readonly value: T;
  readonly renewAt: number;
  readonly expiresAt: number;
}

const issueTimeoutMs = 10_000;
/** A value is renewed this long before it expires, or when a fifth of its life is left if that is later. */
const renewBeforeMs = 5 * 60_000;
/** After a failed renewal the value that is still valid is used, and the issuer is called again after this time. */
const retryAfterMs = 5000;

/**
 * Credentials that are cached, and renewed before they expire. It is single-flight: any number of waiting requests
 * cause one call to the issuer.
 */
export class ExpiringValue<T> {
  readonly #options: ExpiringValueOptions<T>;
  #held: HeldValue<T> | undefined;
  #issuing: Promise<HeldValue<T>> | undefined;
  #retryAt = 0;

  constructor(options: ExpiringValueOptions<T>) {
    this.#options = options;
  }

  /** Not a promise where the value is known already. */
  current(signal: AbortSignal): T | Promise<T> {
    const now = this.#options.clock.now();
    const held = this.#held;
    if (held === undefined || now >= held.expiresAt)
      return untilAborted(this.#renew(), signal).then(({ value }) => value);
    // In the background: the value is still valid. A caller that finds it expired gets the failure.
    if (now >= held.renewAt && now >= this.#retryAt) this.#renew().catch(() => undefined);
    return held.value;
  }

  /** The upstream has refused the value. A renewal in flight began before that at the latest, so its value is a new one. */
  giveUp(): void {
    this.#held = undefined;
  }

  #renew(): Promise<HeldValue<T>> {
    this.#issuing ??= this.#issue().finally(() => {
      this.#issuing = undefined;
    });
    return this.#issuing;
  }

  async #issue(): Promise<HeldValue<T>> {
    const { issue, clock } = this.#options;
    try {
      const { value, lifetimeMs } = await issue(AbortSignal.timeout(issueTimeoutMs));
      const now = clock.now();
      this.#held = {
        value,
        renewAt: now + lifetimeMs - Math.min(renewBeforeMs, lifetimeMs / 5),
        expiresAt: now + lifetimeMs,
      };
      return this.#held;
    } catch (cause) {
      this.#retryAt = clock.now() + retryAfterMs;
      if (cause instanceof GatewayError) throw cause;
      throw new GatewayError(
        "upstream_auth_error",
        "The gateway could not get credentials for the upstream.",
        {
          cause,
          nothingBilled: true,
        },
      );
    }
  }
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
