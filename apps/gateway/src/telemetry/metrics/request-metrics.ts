import type { Registry } from "prom-client";
import { scrapedCounter, scrapedGauge, TallyHistogram } from "./histogram.js";
import { durationBounds, none, type RequestTallies } from "./tallies.js";

const nanosPerDollar = 1e9;

/** Registers the metrics of requests. */
export function describeRequests(register: Registry, tallies: RequestTallies): void {
  describeTraffic(register, tallies);
  describeWork(register, tallies);
  new TallyHistogram({
    name: "gateway_request_seconds",
    help: "Request duration in seconds, from the first byte of the request to the end of the response.",
    bounds: durationBounds,
    register,
    *tallies() {
      for (const { labels, seconds } of tallies.requests) {
        const { operation, model, upstream, outcome } = labels;
        yield { labels: { operation, model, upstream, outcome }, tally: seconds };
      }
    },
  });
  new TallyHistogram({
    name: "gateway_priority_seconds",
    help: "Duration of successful requests that called a model in seconds, by priority.",
    bounds: durationBounds,
    register,
    *tallies() {
      for (const { labels, seconds } of tallies.requests)
        if (labels.outcome === "ok" && labels.model !== none)
          yield { labels: { model: labels.model, priority: labels.priority }, tally: seconds };
    },
  });
  new TallyHistogram({
    name: "gateway_upstream_try_seconds",
    help: "Duration of single upstream attempts in seconds.",
    bounds: durationBounds,
    register,
    *tallies() {
      for (const { labels, seconds } of tallies.attempts) yield { labels, tally: seconds };
    },
  });
}

function describeTraffic(register: Registry, tallies: RequestTallies): void {
  scrapedCounter(register, {
    name: "gateway_requests_total",
    help: "Finished requests.",
    labels: ["operation", "model", "outcome", "code"],
    read: (add) => {
      for (const { labels, seconds } of tallies.requests) {
        const { operation, model, outcome, code } = labels;
        add({ operation, model, outcome, code }, seconds.count);
      }
    },
  });
  scrapedGauge(register, {
    name: "gateway_requests_in_flight",
    help: "Requests in flight.",
    labels: ["operation"],
    read: (add) => {
      for (const [operation, count] of tallies.inFlight) add({ operation }, count);
    },
  });
  scrapedCounter(register, {
    name: "gateway_retries_total",
    help: "Upstream attempts after the first one of a request.",
    labels: ["operation", "model"],
    read: (add) => {
      for (const { labels, retries } of tallies.requests)
        add({ operation: labels.operation, model: labels.model }, retries);
    },
  });
  scrapedCounter(register, {
    name: "gateway_cache_requests_total",
    help: "Requests by vector cache result: hit (all inputs cached), partial (some) or miss (none).",
    labels: ["model", "result"],
    read: (add) => {
      for (const { labels, seconds } of tallies.requests)
        if (labels.cache !== null) add({ model: labels.model, result: labels.cache }, seconds.count);
    },
  });
}

function describeWork(register: Registry, tallies: RequestTallies): void {
  scrapedCounter(register, {
    name: "gateway_tokens_total",
    help: "Tokens of requests (input) and responses (output).",
    labels: ["model", "direction"],
    read: (add) => {
      for (const { labels, inputTokens, outputTokens } of tallies.requests) {
        if (inputTokens > 0) add({ model: labels.model, direction: "input" }, inputTokens);
        if (outputTokens > 0) add({ model: labels.model, direction: "output" }, outputTokens);
      }
    },
  });
  scrapedCounter(register, {
    name: "gateway_images_total",
    help: "Images returned to callers.",
    labels: ["model"],
    read: (add) => {
      for (const { labels, images } of tallies.requests) if (images > 0) add({ model: labels.model }, images);
    },
  });
  scrapedCounter(register, {
    name: "gateway_cost_dollars_total",
    help: "Cost of requests in US dollars, where the price is known.",
    labels: ["model"],
    read: (add) => {
      for (const { labels, costNanos } of tallies.requests)
        if (costNanos > 0) add({ model: labels.model }, costNanos / nanosPerDollar);
    },
  });
  scrapedCounter(register, {
    name: "gateway_unpriced_requests_total",
    help: "Requests with usage whose price is unknown.",
    labels: ["model"],
    read: (add) => {
      for (const { labels, unpriced } of tallies.requests)
        if (unpriced > 0) add({ model: labels.model }, unpriced);
    },
  });
}
