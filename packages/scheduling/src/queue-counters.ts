import type { Priority } from "@model-gateway/domain/access-key";

/** The counts of one priority's calls on their way to a target. */
export interface QueueCounts {
  /** Calls that found capacity at once. */
  readonly direct: number;
  /** Calls that waited for it. */
  readonly waited: number;
  /** Calls that waited too long, or found the queue full. */
  readonly refused: number;
  /** Total waiting time of the calls that waited. */
  readonly waitedMs: number;
}

/** Counts calls by their priority. */
export class QueueCounters {
  readonly #counts = {
    interactive: { direct: 0, waited: 0, refused: 0, waitedMs: 0 },
    bulk: { direct: 0, waited: 0, refused: 0, waitedMs: 0 },
  };

  onDirect(priority: Priority): void {
    this.#counts[priority].direct += 1;
  }

  onWaited(priority: Priority, ms: number): void {
    this.#counts[priority].waited += 1;
    this.#counts[priority].waitedMs += ms;
  }

  onRefused(priority: Priority): void {
    this.#counts[priority].refused += 1;
  }

  counts(): Readonly<Record<Priority, QueueCounts>> {
    return structuredClone(this.#counts);
  }
}
