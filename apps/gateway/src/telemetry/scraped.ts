import { type Aggregator, Counter, Gauge, type Registry } from "prom-client";

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
