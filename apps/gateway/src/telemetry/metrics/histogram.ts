import { type Aggregator, Counter, Gauge, Histogram, type Registry } from "prom-client";

/** A histogram without labels: observations per bucket, their count and their sum. */
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
  /** Tallies with the same labels are summed. */
  readonly tallies: () => Iterable<{ readonly labels: Labels; readonly tally: Tally }>;
}

/**
 * A histogram assembled on scrape. prom-client's own looks up its labels on every observation, which costs more than all
 * other metrics of a request together.
 */
export class TallyHistogram extends Histogram {
  readonly #options: TallyHistogramOptions;

  constructor(options: TallyHistogramOptions) {
    const { name, help, bounds, register } = options;
    super({ name, help, buckets: [...bounds], registers: [register] });
    this.#options = options;
  }

  override async get(): ReturnType<Histogram["get"]> {
    // The declared type has more fields than prom-client reads when it renders; these are the ones it reads.
    return this.#describe() as unknown as Awaited<ReturnType<Histogram["get"]>>;
  }

  /** prom-client calls this instead of `get` when it renders text. */
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

/** A metric whose value is kept elsewhere and read on scrape. */
export interface Scraped<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
  /** Called on scrape, with a function that adds a value. Values with the same labels are summed. */
  readonly read: (add: Add<L>) => void;
}

export function scrapedCounter<L extends string>(register: Registry, metric: Scraped<L>): void {
  const counter: Counter<L> = new Counter<L>({
    ...common(register, metric),
    collect: () => {
      counter.reset();
      metric.read((labels, value) => counter.inc({ ...labels }, value));
    },
  });
}

/** Summed over workers unless `aggregator` says otherwise. */
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
