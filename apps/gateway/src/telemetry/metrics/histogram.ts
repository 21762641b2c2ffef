import { type Aggregator, Counter, Gauge, Histogram, type Registry } from "prom-client";

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

type Add<L extends string> = (labels: Readonly<Record<L, string>>, value: number) => void;

export interface Scraped<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
  /** Called when somebody asks: it says what is counted now. What is said twice of the same labels is added up. */
  readonly read: (add: Add<L>) => void;
}

/** A counter that is kept elsewhere, and read when somebody asks. */
export function scrapedCounter<L extends string>(register: Registry, metric: Scraped<L>): void {
  const counter: Counter<L> = new Counter<L>({
    ...common(register, metric),
    collect: () => {
      counter.reset();
      metric.read((labels, value) => counter.inc({ ...labels }, value));
    },
  });
}

/** A figure that goes up and down, read when somebody asks. Of several workers, the figures are added up. */
export function scrapedGauge<L extends string>(
  register: Registry,
  { aggregator = "sum", ...metric }: Scraped<L> & { readonly aggregator?: Aggregator },
): void {
  const gauge: Gauge<L> = new Gauge<L>({
    ...common(register, metric),
    aggregator,
    collect: () => {
      gauge.reset();
      metric.read((labels, value) => gauge.inc({ ...labels }, value));
    },
  });
}

function common<L extends string>(register: Registry, { name, help, labels }: Scraped<L>) {
  return { name, help, labelNames: labels, registers: [register] };
}
