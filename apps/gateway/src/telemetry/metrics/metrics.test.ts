import { type ErrorCode, errorTable } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import type { LedgerSnapshot } from "../../usage/ledger/ledger.js";
import { createMetrics } from "./metrics.js";
import { type StateSources, stateMetrics } from "./state-metrics.js";
import { type FinishedRequest, outcomeOf } from "./tallies.js";

const emptyLedger: LedgerSnapshot = {
  rows: 0,
  bytes: 0,
  heldRows: 0,
  oldestAgeMs: null,
  shipped: 0,
  dropped: 0,
  corrupt: 0,
  rejected: 0,
  lastFailure: null,
};

const noCalls = { direct: 0, waited: 0, refused: 0, waitedMs: 0 };

function create(sources: Partial<StateSources> = {}) {
  const names = ["text-embedding-3-small", "gpt-image-2"];
  const metrics = createMetrics({
    isModel: (id) => names.includes(id),
    isUpstream: (name) => name === "openai",
  });
  metrics.include(() =>
    stateMetrics({
      targets: () => [],
      deletedRows: () => 0,
      queue: () => ({ waiting: [], counts: { interactive: noCalls, bulk: noCalls } }),
      webhooks: () => ({ pending: 0, ended: [] }),
      ledger: () => emptyLedger,
      diskFreeBytes: () => null,
      uploadBytes: () => 0,
      slowReaders: () => 0,
      tasks: () => new Map(),
      upstreams: () => [],
      droppedSpans: () => ({ queueFull: 0, exportFailed: 0 }),
      spaceChecks: () => new Map([["same", 2]]),
      shadows: () => [
        {
          model: "m",
          shadow: "next",
          embedded: 3,
          cached: 4,
          dropped: 5,
          failed: 6,
          compared: 16,
          neighboursKept: 9,
        },
      ],
      ...sources,
    }),
  );
  return metrics;
}

function finished(changes: Partial<FinishedRequest> = {}): FinishedRequest {
  return {
    operation: "createEmbedding",
    model: "text-embedding-3-small",
    upstream: "openai",
    attempts: 1,
    status: 200,
    inputTokens: 100,
    outputTokens: 0,
    images: 0,
    costNanos: 2000,
    ms: 40,
    cache: "miss",
    errorCode: null,
    ...changes,
  };
}

async function linesOf(metrics: ReturnType<typeof create>, name: string): Promise<string[]> {
  const { text } = await metrics.render();
  return text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

test("requests are counted by operation, model, outcome and code", async () => {
  const metrics = create();

  metrics.end(finished());
  metrics.end(finished({ cache: "hit" }));
  metrics.end(finished({ status: 429, errorCode: "rate_limit_exceeded" }));
  metrics.end(finished({ operation: "listModels", model: null, upstream: null, inputTokens: 0 }));

  const labels = 'operation="createEmbedding",model="text-embedding-3-small"';
  expect(await linesOf(metrics, "gateway_requests_total")).toEqual([
    `gateway_requests_total{${labels},outcome="ok",code="none"} 2`,
    `gateway_requests_total{${labels},outcome="limited",code="rate_limit_exceeded"} 1`,
    'gateway_requests_total{operation="listModels",model="none",outcome="ok",code="none"} 1',
  ]);
});

test("the time of requests is a histogram by operation, model, upstream and outcome, across error codes", async () => {
  const metrics = create();

  for (const ms of [4, 5, 6, 70, 400_000]) metrics.end(finished({ ms }));
  metrics.end(finished({ ms: 70, cache: "hit" }));

  const labels = 'operation="createEmbedding",model="text-embedding-3-small",upstream="openai",outcome="ok"';
  const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
  const below = [2, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5];
  expect(await linesOf(metrics, "gateway_request_seconds_bucket")).toEqual([
    ...bounds.map((le, index) => `gateway_request_seconds_bucket{le="${le}",${labels}} ${below[index]}`),
    `gateway_request_seconds_bucket{le="+Inf",${labels}} 6`,
  ]);
  expect(await linesOf(metrics, "gateway_request_seconds_count")).toEqual([
    `gateway_request_seconds_count{${labels}} 6`,
  ]);
  expect(await linesOf(metrics, "gateway_request_seconds_sum")).toEqual([
    `gateway_request_seconds_sum{${labels}} 400.155`,
  ]);
});

test("tokens, images and cost are counted by model, and usage without a price counts as unpriced", async () => {
  const metrics = create();

  metrics.end(finished({ inputTokens: 100, costNanos: 2000, attempts: 3 }));
  metrics.end(finished({ inputTokens: 50, costNanos: null }));
  metrics.end(finished({ inputTokens: 0, costNanos: null, status: 400, errorCode: "invalid_value" }));
  metrics.end(
    finished({
      operation: "createImage",
      model: "gpt-image-2",
      outputTokens: 4000,
      images: 2,
      costNanos: 80_000_000,
      cache: null,
    }),
  );

  const { text } = await metrics.render();
  expect(
    text.split("\n").filter((line) => /^gateway_(tokens|images|cost|unpriced|retries|cache)/.test(line)),
  ).toEqual([
    'gateway_retries_total{operation="createEmbedding",model="text-embedding-3-small"} 2',
    'gateway_retries_total{operation="createImage",model="gpt-image-2"} 0',
    'gateway_cache_requests_total{model="text-embedding-3-small",result="miss"} 3',
    'gateway_tokens_total{model="text-embedding-3-small",direction="input"} 150',
    'gateway_tokens_total{model="gpt-image-2",direction="input"} 100',
    'gateway_tokens_total{model="gpt-image-2",direction="output"} 4000',
    'gateway_images_total{model="gpt-image-2"} 2',
    'gateway_cost_dollars_total{model="text-embedding-3-small"} 0.000002',
    'gateway_cost_dollars_total{model="gpt-image-2"} 0.08',
    'gateway_unpriced_requests_total{model="text-embedding-3-small"} 1',
  ]);
});

test("requests in flight are those that began and have not ended", async () => {
  const metrics = create();

  metrics.begin("createEmbedding");
  metrics.begin("createEmbedding");
  metrics.begin("createImage");
  metrics.end(finished());

  expect(await linesOf(metrics, "gateway_requests_in_flight")).toEqual([
    'gateway_requests_in_flight{operation="createEmbedding"} 1',
    'gateway_requests_in_flight{operation="createImage"} 1',
  ]);
});

test("upstream attempts are timed separately", async () => {
  const metrics = create();
  const one = { operation: "createEmbedding", upstream: "openai", ms: 20 } as const;

  metrics.onAttempt({ ...one, errorCode: "upstream_timeout" });
  metrics.onAttempt({ ...one, errorCode: null });
  metrics.onAttempt({ ...one, errorCode: null, upstream: "elsewhere" });
  metrics.onAttempt({ ...one, errorCode: "rate_limit_exceeded" });
  metrics.onAttempt({ ...one, errorCode: "cancelled" });

  expect(await linesOf(metrics, "gateway_upstream_attempt_seconds_count")).toEqual([
    'gateway_upstream_attempt_seconds_count{operation="createEmbedding",outcome="upstream",upstream="openai"} 1',
    'gateway_upstream_attempt_seconds_count{operation="createEmbedding",outcome="ok",upstream="openai"} 1',
    'gateway_upstream_attempt_seconds_count{operation="createEmbedding",outcome="ok",upstream="unknown"} 1',
    'gateway_upstream_attempt_seconds_count{operation="createEmbedding",outcome="limited",upstream="openai"} 1',
    'gateway_upstream_attempt_seconds_count{operation="createEmbedding",outcome="caller",upstream="openai"} 1',
  ]);
});

test("names that callers invent share one label", async () => {
  const metrics = create();

  for (let number = 0; number < 10_000; number += 1) {
    const name = `made-up-${number}`;
    metrics.end(finished({ model: name, upstream: name, errorCode: name, status: 404 }));
  }

  const { text } = await metrics.render();
  expect(text).not.toContain("made-up");
  expect(await linesOf(metrics, "gateway_requests_total")).toEqual([
    'gateway_requests_total{operation="createEmbedding",model="unknown",outcome="caller",code="unknown"} 10000',
  ]);
});

test("the state of targets, queue and ledger is read on scrape", async () => {
  let waiting = 1;
  const spaceCheck = { cosineMin: 1, imageCosineMin: 0.5, checkedAt: 0, isDrifted: true, isExcluded: false };
  const health = {
    provenMs: 1,
    inFlight: 2,
    unhealthyMs: 1,
    failures: 1,
    averageLatencyMs: 250,
    latency: null,
    lastError: null,
    pausedMs: 0,
    spaceCheck,
  };
  const target = { upstream: "openai", model: "m", ...health };
  const metrics = create({
    targets: () => [
      { ...target, state: "half-open" },
      { ...target, state: "half-open" },
    ],
    deletedRows: () => 7,
    queue: () => ({
      waiting: [{ model: "m", interactive: 0, bulk: waiting }],
      counts: {
        interactive: { direct: 9, waited: 0, refused: 0, waitedMs: 0 },
        bulk: { direct: 1, waited: 2, refused: 3, waitedMs: 4500 },
      },
    }),
    ledger: () => ({ ...emptyLedger, rows: 3, bytes: 600, oldestAgeMs: 1500, dropped: 1, rejected: 2 }),
  });

  await metrics.render();
  waiting = 5;
  const { contentType, text } = await metrics.render();

  expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(text.split("\n").filter((line) => /^gateway_(target|queue|ledger)/.test(line))).toEqual([
    'gateway_target_state{upstream="openai",model="m",state="unknown"} 0',
    'gateway_target_state{upstream="openai",model="m",state="healthy"} 0',
    'gateway_target_state{upstream="openai",model="m",state="failing"} 0',
    'gateway_target_state{upstream="openai",model="m",state="cooling"} 0',
    'gateway_target_state{upstream="openai",model="m",state="misconfigured"} 0',
    'gateway_target_state{upstream="openai",model="m",state="drifted"} 0',
    'gateway_target_state{upstream="openai",model="m",state="open"} 0',
    'gateway_target_state{upstream="openai",model="m",state="half-open"} 1',
    'gateway_target_in_flight{upstream="openai",model="m"} 2',
    'gateway_target_latency_seconds{upstream="openai",model="m"} 0.25',
    'gateway_target_space_cosine{upstream="openai",model="m"} 0.5',
    "gateway_ledger_rows 3",
    "gateway_ledger_memory_rows 0",
    "gateway_ledger_bytes 600",
    "gateway_ledger_oldest_seconds 1.5",
    "gateway_ledger_shipped_total 0",
    "gateway_ledger_dropped_total 1",
    "gateway_ledger_corrupt_total 0",
    "gateway_ledger_rejected_total 2",
    "gateway_ledger_deleted_total 7",
    'gateway_queue_waiting{model="m",priority="bulk"} 5',
    'gateway_queue_calls_total{priority="interactive",result="direct"} 9',
    'gateway_queue_calls_total{priority="interactive",result="waited"} 0',
    'gateway_queue_calls_total{priority="interactive",result="refused"} 0',
    'gateway_queue_calls_total{priority="bulk",result="direct"} 1',
    'gateway_queue_calls_total{priority="bulk",result="waited"} 2',
    'gateway_queue_calls_total{priority="bulk",result="refused"} 3',
    'gateway_queue_wait_seconds_total{priority="interactive"} 0',
    'gateway_queue_wait_seconds_total{priority="bulk"} 4.5',
  ]);
});

test("every error code has an outcome that says who has to act", () => {
  const outcomes = Object.entries(errorTable).map(([code, { status }]) => [code, outcomeOf(status, code)]);
  const of = (outcome: string) => outcomes.flatMap(([code, own]) => (own === outcome ? [code] : []));

  expect(of("limited")).toEqual(["rate_limit_exceeded", "insufficient_quota"]);
  expect(of("gateway")).toEqual([
    "internal_error",
    "storage_unavailable",
    "image_store_unavailable",
    "file_store_unavailable",
    "storage_full",
    "idempotency_unavailable",
    "gateway_overloaded",
  ]);
  expect(of("upstream")).toEqual([
    "upstream_error",
    "upstream_invalid_reply",
    "upstream_auth_error",
    "upstream_model_missing",
    "upstream_unavailable",
    "model_unavailable",
    "space_drifted",
    "upstream_timeout",
  ]);
  expect(of("ok")).toEqual([]);
  expect(outcomeOf(200, null)).toBe("ok");
  expect(outcomeOf(499, "caller_left")).toBe("caller");
  expect(outcomeOf(200, "upstream_timeout" satisfies ErrorCode)).toBe("upstream");
});
