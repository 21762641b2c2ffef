import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MetricsSum } from "./cluster-metrics.js";
import { createMetrics, type Metrics } from "./metrics.js";
import { stateMetrics } from "./state-metrics.js";
import type { FinishedRequest } from "./tallies.js";

/** As prom-client wrote it for the same events, with `attempt` for `try`. Dashboards and alerts rely on every line. */
const expected = (name: string) => readFileSync(new URL(`./test/${name}.txt`, import.meta.url), "utf8");

const health = {
  provenMs: 1,
  inFlight: 2,
  unhealthyMs: 1,
  failures: 1,
  averageLatencyMs: 250,
  latency: null,
  lastError: null,
  pausedMs: 0,
  state: "half-open",
} as const;
const spaceCheck = { cosineMin: 0.5, imageCosineMin: null, checkedAt: 0, isDrifted: true, isExcluded: false };

function createCounted(): Metrics {
  const metrics = createMetrics({
    isModel: (id) => ["small", "image"].includes(id),
    isUpstream: (name) => name === "openai",
  });
  metrics.include(() =>
    stateMetrics({
      targets: () => [
        { ...health, upstream: "openai", model: 'm"\\\n', spaceCheck },
        { ...health, upstream: "openai", model: "n", spaceCheck: null },
      ],
      deletedRows: () => 7,
      queue: () => ({
        waiting: [{ model: "small", interactive: 2, bulk: 1 }],
        counts: {
          interactive: { direct: 9, waited: 0, refused: 0, waitedMs: 0 },
          bulk: { direct: 1, waited: 2, refused: 3, waitedMs: 4500 },
        },
      }),
      webhooks: () => ({
        pending: 3,
        ended: [{ event: "budget.share_reached", outcome: "delivered", count: 2 }],
      }),
      diskFreeBytes: () => 1e12,
      uploadBytes: () => 5,
      slowReaders: () => 3,
      tasks: () => new Map([["sweep", { runs: 5, failures: 1, seconds: 0.5 }]]),
      upstreams: () => [
        { name: "openai", provider: "openai" },
        { name: "hosted", provider: "azure", genAiProvider: "azure.ai.openai" },
      ],
      droppedSpans: () => ({ queueFull: 1, exportFailed: 2 }),
      spaceChecks: () => new Map([["same", 2]]),
      shadows: () => [
        {
          model: "small",
          shadow: "next",
          embedded: 3,
          cached: 4,
          dropped: 5,
          failed: 6,
          compared: 16,
          neighboursKept: 9,
        },
      ],
      ledger: () => ({
        rows: 3,
        bytes: 600,
        heldRows: 1,
        oldestAgeMs: 1500,
        shipped: 9,
        dropped: 1,
        corrupt: 4,
        rejected: 2,
        lastFailure: null,
      }),
    }),
  );
  countSome(metrics);
  return metrics;
}

function finished(changes: Partial<FinishedRequest> = {}): FinishedRequest {
  return {
    operation: "createEmbedding",
    model: "small",
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

function countSome(metrics: Metrics): void {
  const failed = { inputTokens: 0, cache: null };
  const image = { outputTokens: 4000, images: 2, costNanos: 80_000_000, cache: null, ms: 12_345 };
  const attempt = { operation: "createEmbedding", upstream: "openai", ms: 20 } as const;
  metrics.begin("createEmbedding");
  metrics.begin("createEmbedding");
  metrics.begin("createImage");
  metrics.begin(null);
  for (const ms of [4, 5, 6, 70, 400_000]) metrics.end(finished({ ms }));
  metrics.end(finished({ cache: "hit", ms: 1 }), "bulk");
  metrics.end(finished({ cache: "partial", attempts: 3, costNanos: null }));
  metrics.end(finished({ ...failed, status: 429, errorCode: "rate_limit_exceeded" }));
  metrics.end(finished({ ...image, operation: "createImage", model: "image" }));
  const unknown = { operation: null, model: "made-up", upstream: "made-up", errorCode: "made-up" };
  metrics.end(finished({ ...failed, ...unknown, status: 404 }));
  metrics.begin("createEmbedding");
  metrics.onAttempt({ ...attempt, errorCode: "upstream_timeout" });
  metrics.onAttempt({ ...attempt, errorCode: null });
  metrics.onAttempt({ ...attempt, errorCode: null, upstream: "elsewhere" });
}

test("the text of one process is the one that dashboards know", async () => {
  const { text } = await createCounted().render();

  expect(text).toBe(expected("one-process"));
});

test("the sum over three workers is exact, and keeps the counts of one that has left", () => {
  const sum = new MetricsSum();
  // Workers report as JSON.
  for (const worker of [1, 2, 3]) sum.add(worker, JSON.parse(JSON.stringify(createCounted().report())));
  sum.retire(3);

  expect(sum.render()).toBe(expected("three-workers"));
});
