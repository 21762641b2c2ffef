import { Histogram, type Registry } from "prom-client";

/** How many observations fell under each bound, and what they add up to. */
export interface Tally {
  readonly counts: number[];
  count: number;
  sum: number;
}

export function createTally(bounds: readonly number[]): Tally {
  return { counts: bounds.map(() => 0), count: 0, sum: 0 };
}

export function observe(tally: Tally, bounds: readonly number[], value: number): void {
  tally.count += 1;
  tally.sum += value;
  for (let index = 0; index < bounds.length; index += 1) {
    if (value > (bounds[index] ?? 0)) continue;
    tally.counts[index] = (tally.counts[index] ?? 0) + 1;
    return;
  }
}

type Labels = Readonly<Record<string, string>>;

export interface TallyHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly bounds: readonly number[];
  readonly register: Registry;
  /** Several with the same labels are added up. */
  readonly tallies: () => Iterable<{ readonly labels: Labels; readonly tally: Tally }>;
}

/**
 * A histogram that is put together when it is read. The library's own looks up its labels anew for every observation,
 * which takes longer than all else that is measured of a request.
 */
export class TallyHistogram extends Histogram {
  readonly #options: TallyHistogramOptions;

  constructor(options: TallyHistogramOptions) {
    const { name, help, bounds, register } = options;
    super({ name, help, buckets: [...bounds], registers: [register] });
    this.#options = options;
  }

  override async get(): ReturnType<Histogram["get"]> {
    // The library describes its metrics by more than it needs for writing them down; this is all that it reads.
    return this.#describe() as unknown as Awaited<ReturnType<Histogram["get"]>>;
  }

  /** What the library calls instead of `get` when it writes text. */
  async getForPromString(): Promise<unknown> {
    return this.#describe();
  }

  #describe(): unknown {
    const { name, help, bounds } = this.#options;
    const values = [...this.#sums()].flatMap(({ labels, tally }) => {
      let below = 0;
      const buckets = bounds.map((bound, index) => {
        below += tally.counts[index] ?? 0;
        return { labels: { le: bound, ...labels }, value: below, metricName: `${name}_bucket` };
      });
      return [
        ...buckets,
        { labels: { le: "+Inf", ...labels }, value: tally.count, metricName: `${name}_bucket` },
        { labels, value: tally.sum, metricName: `${name}_sum` },
        { labels, value: tally.count, metricName: `${name}_count` },
      ];
    });
    return { name, help, type: "histogram", aggregator: "sum", values };
  }

  #sums(): Iterable<{ labels: Labels; tally: Tally }> {
    const sums = new Map<string, { labels: Labels; tally: Tally }>();
    for (const { labels, tally } of this.#options.tallies()) {
      const key = JSON.stringify(labels);
      const sum = sums.get(key) ?? { labels, tally: createTally(this.#options.bounds) };
      sums.set(key, sum);
      sum.tally.count += tally.count;
      sum.tally.sum += tally.sum;
      for (const [index, count] of tally.counts.entries())
        sum.tally.counts[index] = (sum.tally.counts[index] ?? 0) + count;
    }
    return sums.values();
  }
}
