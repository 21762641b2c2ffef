import type { Budget } from "@model-gateway/domain/access-key";
import { withTimeout } from "@model-gateway/runtime/with-timeout";

interface AccountOptions {
  readonly keyId: string;
  readonly period: BudgetPeriod;
  /** Reads the spending in the period. */
  readonly readLedger: () => Promise<number>;
  /** Time that the first request waits for the ledger. */
  readonly waitMs: number;
  /** Time between two reads of a ledger that fails. */
  readonly retryMs: number;
  readonly onFailure: (failure: unknown) => void;
}

/** A key's spending in a period, as known to this process, in billionths of a US dollar. */
export class Account {
  readonly options: AccountOptions;
  spentNanos = 0;
  /** Reserved for requests in flight. */
  reservedNanos = 0;
  /** Spent here and not yet reported to the other replicas. */
  unreportedNanos = 0;
  /** Whether the spending before the start of this process is included. */
  isSeeded = false;
  #opening: Promise<void> | undefined;
  #isReading = false;
  #retryAt = 0;

  constructor(options: AccountOptions) {
    this.options = options;
  }

  /**
   * Reads earlier spending from the ledger. The first request waits for it, up to `waitMs`. If the ledger is
   * unavailable, later requests do not wait, and it is read again in the background. Returns undefined if there is
   * nothing to wait for.
   */
  open(now: number): Promise<void> | undefined {
    if (this.isSeeded || this.#isReading) return this.#opening;
    if (now < this.#retryAt) return undefined;
    const isFirst = this.#retryAt === 0;
    this.#retryAt = now + this.options.retryMs;
    const reading = this.#seed();
    if (!isFirst) return undefined;
    this.#opening = withTimeout(reading, this.options.waitMs, () => undefined).then(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Takes over the shared count. */
  adopt(spentNanos: number): void {
    this.spentNanos = spentNanos;
    this.isSeeded = true;
  }

  /** Returns the unreported amount and resets it: the caller reports it. */
  takeOwed(): number {
    const { unreportedNanos } = this;
    this.unreportedNanos = 0;
    return unreportedNanos;
  }

  /** Makes the next `open` read the ledger again. */
  forget(): void {
    this.isSeeded = false;
    this.#retryAt = 0;
  }

  async #seed(): Promise<void> {
    this.#isReading = true;
    // The ledger includes spending counted here before this read, unless its rows have not arrived yet.
    const counted = this.spentNanos;
    try {
      const listed = await this.options.readLedger();
      if (!this.isSeeded) this.adopt(Math.max(listed, counted) + this.spentNanos - counted);
    } catch (failure) {
      this.options.onFailure(failure);
    } finally {
      this.#isReading = false;
    }
  }
}

/** A UTC day or month. */
export interface BudgetPeriod {
  readonly per: Budget["per"];
  /** `2026-11-15` or `2026-11`. */
  readonly id: string;
  readonly startsAt: number;
  /** The start of the next period. */
  readonly endsAt: number;
}

export function budgetPeriod(per: Budget["per"], now: number): BudgetPeriod {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (per === "day") {
    return {
      per,
      id: date.toISOString().slice(0, 10),
      startsAt: Date.UTC(year, month, day),
      endsAt: Date.UTC(year, month, day + 1),
    };
  }
  return {
    per,
    id: date.toISOString().slice(0, 7),
    startsAt: Date.UTC(year, month),
    endsAt: Date.UTC(year, month + 1),
  };
}
