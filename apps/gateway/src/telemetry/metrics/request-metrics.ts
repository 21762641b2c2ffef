import { sumOfTallies, type Tally } from "./histogram.js";
import { type HistogramMetric, type Metric, mergeSamples, numberMetrics, type Sample } from "./metric.js";
import { durationBounds, none, type RequestTallies, type RequestTally } from "./tallies.js";

const nanosPerDollar = 1e9;

type SamplesOf = (tally: RequestTally) => readonly Sample<number>[];

const counters: readonly (readonly [name: string, help: string, samplesOf: SamplesOf])[] = [
  [
    "gateway_requests_total",
    "Finished requests.",
    ({ labels: { operation, model, outcome, code }, seconds }) => [
      [{ operation, model, outcome, code }, seconds.count],
    ],
  ],
  [
    "gateway_retries_total",
    "Upstream attempts after the first one of a request.",
    ({ labels: { operation, model }, retries }) => [[{ operation, model }, retries]],
  ],
  [
    "gateway_cache_requests_total",
    "Requests by vector cache result: hit (all inputs cached), partial (some) or miss (none).",
    ({ labels: { model, cache }, seconds }) =>
      cache === null ? [] : [[{ model, result: cache }, seconds.count]],
  ],
  [
    "gateway_tokens_total",
    "Tokens of requests (input) and responses (output).",
    (tally) => [
      ...byModel(tally, tally.inputTokens, { direction: "input" }),
      ...byModel(tally, tally.outputTokens, { direction: "output" }),
    ],
  ],
  ["gateway_images_total", "Images returned to callers.", (tally) => byModel(tally, tally.images)],
  [
    "gateway_cost_dollars_total",
    "Cost of requests in US dollars, where the price is known.",
    (tally) => byModel(tally, tally.costNanos / nanosPerDollar),
  ],
  [
    "gateway_unpriced_requests_total",
    "Requests with usage whose price is unknown.",
    (tally) => byModel(tally, tally.unpriced),
  ],
];

/** The counters and gauges of requests. */
export function requestMetrics({ requests, inFlight }: RequestTallies): Metric[] {
  const tallies = [...requests];
  const running = [...inFlight].map(([operation, count]) => [{ operation }, count] as const);
  return numberMetrics([
    ...counters.map(([name, help, samplesOf]) => [name, help, tallies.flatMap(samplesOf)] as const),
    ["gateway_requests_in_flight", "Requests in flight.", running],
  ]);
}

/** Models without a value are left out. */
function byModel({ labels: { model } }: RequestTally, value: number, more = {}): Sample<number>[] {
  return value > 0 ? [[{ model, ...more }, value]] : [];
}

/** The histograms of requests and attempts. */
export function durationMetrics(tallies: RequestTallies): Metric[] {
  const requests = [...tallies.requests];
  const called = requests.filter(({ labels }) => labels.outcome === "ok" && labels.model !== none);
  return [
    histogram(
      "gateway_request_seconds",
      "Request duration in seconds, from the first byte of the request to the end of the response.",
      requests.map(({ labels: { operation, model, upstream, outcome }, seconds }) => [
        { operation, model, upstream, outcome },
        seconds,
      ]),
    ),
    histogram(
      "gateway_priority_seconds",
      "Duration of successful requests that called a model in seconds, by priority.",
      called.map(({ labels: { model, priority }, seconds }) => [{ model, priority }, seconds]),
    ),
    histogram(
      "gateway_upstream_attempt_seconds",
      "Duration of single upstream attempts in seconds.",
      [...tallies.attempts].map(({ labels, seconds }) => [labels, seconds]),
    ),
  ];
}

function histogram(name: string, help: string, samples: readonly Sample<Tally>[]): HistogramMetric {
  return {
    name,
    help,
    type: "histogram",
    bounds: durationBounds,
    samples: mergeSamples(samples, sumOfTallies),
  };
}
