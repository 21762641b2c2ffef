import { expect, test } from "vitest";
import { overviewTiles } from "./overview-tiles.js";

const totals: Parameters<typeof overviewTiles>[0] = {
  requests: 1000,
  failed_requests: 20,
  input_tokens: 0,
  output_tokens: 0,
  images: 3,
  cost_usd: 2.5,
  unpriced_requests: 0,
  duration_p50_ms: 24,
  duration_p95_ms: 310.7,
  duration_p99_ms: 900,
  cached_inputs: 0,
  saved_usd: 0,
  internal: undefined,
};

test("each figure has its change against the day before, and leads to what it counts", () => {
  const before = { ...totals, requests: 900, failed_requests: 9, cost_usd: 3, duration_p95_ms: 210.7 };

  const tiles = overviewTiles(totals, before);

  expect(tiles.map(({ label, value, note, link }) => [label, value, note, link])).toEqual([
    ["requests", "1,000", "100 more", "#/requests?time=24h&internal=false"],
    ["failed", "2.0 %", "20 requests, 1.0 points more", "#/requests?time=24h&failed=true&internal=false"],
    ["median time", "24 ms", "as the day before", "#/requests?time=24h"],
    ["p95", "311 ms", "100 ms more", "#/requests?time=24h&min_duration_ms=310"],
    ["cost", "$2.50", "$0.50 less", "#/usage?time=24h&by=owner&measure=cost_usd"],
    ["images", "3", "as the day before", "#/usage?time=24h&measure=images"],
  ]);
});

test("the console's trials and the gateway's checks count neither as requests nor as failures of callers", () => {
  const now = { ...totals, internal: { requests: 900, failed_requests: 15 } };

  const [requests, failed] = overviewTiles(now, totals);

  expect([requests?.value, requests?.note]).toEqual([
    "100",
    "900 less, and 900 by the console and the gateway's checks",
  ]);
  expect([failed?.value, failed?.note]).toEqual([
    "5.0 %",
    "5 requests, 3.0 points more, and 15 by the console and the gateway's checks",
  ]);
});

test("without a day before there is no change, and unknown amounts are not 0", () => {
  const now = { ...totals, cost_usd: null, unpriced_requests: 1000, duration_p95_ms: null };

  const tiles = overviewTiles(now, { ...totals, requests: 0 });

  expect(tiles.map(({ value, note }) => [value, note])).toEqual([
    ["1,000", undefined],
    ["2.0 %", "20 requests"],
    ["24 ms", undefined],
    ["–", undefined],
    ["not known", "and 1,000 requests without a price"],
    ["3", undefined],
  ]);
});
