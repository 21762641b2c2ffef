import type { BudgetPeriod } from "./budget-period.js";

export interface AccountNeeds {
  readonly keyId: string;
  readonly period: BudgetPeriod;
  /** What the ledger says was spent in the period. */
  readonly readLedger: () => Promise<number>;
  /** How long a request waits for the ledger. */
  readonly waitMs: number;
  /** How long nobody asks the ledger again after it failed. */
  readonly retryMs: number;
  readonly onFailure: (failure: unknown) => void;
}

/** What a key has spent in a period, as far as this process knows, in billionths of a US dollar. */
export class Account {
  readonly needs: AccountNeeds;
  spentNanos = 0;
  /** What requests under way may still spend. */
  reservedNanos = 0;
  /** What was spent, and other replicas have not heard of. */
  owedNanos = 0;
  /** Whether what was spent before this process began is known. */
  isSeeded = false;
  #opening: Promise<void> | undefined;
  #isAsking = false;
  #retryAt = 0;

  constructor(needs: AccountNeeds) {
    this.needs = needs;
  }

  /**
   * Asks the ledger what was spent before. The first request waits for it, for a while; a ledger that is away delays no
   * other, and is asked again in the background. Undefined where there is nothing to wait for.
   */
  open(now: number): Promise<void> | undefined {
    if (this.isSeeded || this.#isAsking) return this.#opening;
    if (now < this.#retryAt) return undefined;
    const isFirst = this.#retryAt === 0;
    this.#retryAt = now + this.needs.retryMs;
    const asking = this.#seed();
    if (!isFirst) return undefined;
    this.#opening = unlessLate(asking, this.needs.waitMs).then(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Takes over what the replicas have counted. */
  adopt(spentNanos: number): void {
    this.spentNanos = spentNanos;
    this.isSeeded = true;
  }

  /** What is owed, for one who sees to it that the others hear of it. */
  takeOwed(): number {
    const { owedNanos } = this;
    this.owedNanos = 0;
    return owedNanos;
  }

  /** Has the ledger asked again. */
  forget(): void {
    this.isSeeded = false;
    this.#retryAt = 0;
  }

  async #seed(): Promise<void> {
    this.#isAsking = true;
    // What was counted here before the ledger is asked is in the ledger too, unless it has not arrived yet.
    const counted = this.spentNanos;
    try {
      const listed = await this.needs.readLedger();
      if (!this.isSeeded) this.adopt(Math.max(listed, counted) + this.spentNanos - counted);
    } catch (failure) {
      this.needs.onFailure(failure);
    } finally {
      this.#isAsking = false;
    }
  }
}

async function unlessLate(work: Promise<void>, waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
