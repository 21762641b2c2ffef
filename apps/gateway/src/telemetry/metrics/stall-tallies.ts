import { type Metric, numberMetrics } from "./metric.js";

/** A time in which the event loop was blocked. */
export interface Stall {
  /** The operation of the request that was worked on last. Undefined if there was none. */
  readonly operation: string | undefined;
  /** The function on top of the stack. Undefined if it is not known. */
  readonly function: string | undefined;
}

/** More functions share one label. Each stalls for 200 ms at the least, so a gateway with so many has other worries. */
const functionsMax = 50;

/** Counts stalls of the event loop. No label takes a text of a caller: both are names in the code. */
export class StallTallies {
  readonly #counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; count: number }>();

  note({ operation = "none", function: name = "unknown" }: Stall): void {
    const isKnown = this.#counts.has(keyOf(operation, name)) || this.#counts.size < functionsMax;
    const labels = { operation, function: isKnown ? name : "other" };
    const key = keyOf(labels.operation, labels.function);
    const tally = this.#counts.get(key) ?? { labels, count: 0 };
    tally.count += 1;
    this.#counts.set(key, tally);
  }

  read(): Metric[] {
    return numberMetrics([
      [
        "gateway_event_loop_stalls_total",
        "Times in which the event loop was blocked for 200 ms or more, by the operation and the function that ran.",
        [...this.#counts.values()].map(({ labels, count }) => [labels, count]),
      ],
    ]);
  }
}

function keyOf(operation: string, name: string): string {
  return `${operation} ${name}`;
}
