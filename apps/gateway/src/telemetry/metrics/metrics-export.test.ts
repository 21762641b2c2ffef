import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../log.js";
import { type Collector, startCollector } from "../otlp/test/collector.js";
import { type MetricsExport, readMetricsExportSettings } from "./export-settings.js";
import type { MetricsReport } from "./metric.js";
import { openMetricsExport } from "./metrics-export.js";

const report: MetricsReport = [
  {
    name: "gateway_requests_total",
    help: "Finished requests.",
    type: "counter",
    merge: "sum",
    samples: [[{ operation: "createEmbedding", model: "m", outcome: "ok", code: "none" }, 3]],
  },
  {
    name: "gateway_disk_free_bytes",
    help: "Free space.",
    type: "gauge",
    merge: "min",
    samples: [[{}, 1e12]],
  },
  {
    name: "gateway_upstream_info",
    help: "Providers.",
    type: "gauge",
    merge: "max",
    samples: [[{ upstream: "hosted", provider: "azure", gen_ai_provider: "azure.ai.openai" }, 1]],
  },
  {
    name: "gateway_upstream_attempt_seconds",
    help: "Attempts.",
    type: "histogram",
    bounds: [0.1, 0.5],
    samples: [
      [
        { operation: "createImage", upstream: "hosted", outcome: "ok" },
        { counts: [1, 2], count: 4, sum: 0.7 },
      ],
    ],
  },
];

let collector: Collector;
let logged: Record<string, unknown>[];
let opened: MetricsExport[];
beforeEach(async () => {
  collector = await startCollector();
  logged = [];
  opened = [];
});
afterEach(async () => {
  collector.release();
  await Promise.all(opened.map((one) => one.close()));
  await collector.close();
});

async function open(environment: Record<string, string> = {}): Promise<MetricsExport> {
  const metricsExport = await openMetricsExport({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment },
    log: createLog("info", { write: (line) => void logged.push(JSON.parse(line)) }, new SecretFilter()),
    version: "1.2.3",
    collect: async () => report,
  });
  opened.push(metricsExport);
  return metricsExport;
}

const time = { startTime: expect.any(Number), time: expect.any(Number) };
const figures = { count: 4, sum: 0.7, bucketCounts: [1, 2, 1], explicitBounds: [0.1, 0.5] };

test.each([
  ["http/protobuf", "application/x-protobuf", "none"],
  ["http/protobuf", "application/x-protobuf", "gzip"],
  ["http/json", "application/json", "none"],
])("metrics are exported over %s as %s, compression %s", async (protocol, contentType, compression) => {
  const metricsExport = await open({
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: compression,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20secret",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });

  await metricsExport.close();

  expect(collector.last.metrics).toMatchObject({
    path: "/v1/metrics",
    headers: { "content-type": contentType, authorization: "Bearer secret" },
    resource: {
      "service.name": "model-gateway",
      "service.version": "1.2.3",
      "service.instance.id": expect.any(String),
      "deployment.environment.name": "test",
    },
  });
  expect([...collector.metrics.values()]).toEqual([
    {
      name: "gateway_requests_total",
      unit: "",
      kind: "sum",
      isMonotonic: true,
      temporality: 2,
      points: [
        {
          ...time,
          attributes: { operation: "createEmbedding", model: "m", outcome: "ok", code: "none" },
          value: 3,
        },
      ],
    },
    {
      name: "gateway_disk_free_bytes",
      unit: "By",
      kind: "gauge",
      points: [{ ...time, attributes: {}, value: 1e12 }],
    },
    {
      name: "gateway_upstream_info",
      unit: "",
      kind: "gauge",
      points: [
        {
          ...time,
          attributes: { upstream: "hosted", provider: "azure", gen_ai_provider: "azure.ai.openai" },
          value: 1,
        },
      ],
    },
    {
      name: "gateway_upstream_attempt_seconds",
      unit: "s",
      kind: "histogram",
      temporality: 2,
      points: [
        {
          ...time,
          ...figures,
          attributes: { operation: "createImage", upstream: "hosted", outcome: "ok" },
        },
      ],
    },
    {
      name: "gen_ai.client.operation.duration",
      unit: "s",
      kind: "histogram",
      temporality: 2,
      points: [
        {
          ...time,
          ...figures,
          attributes: {
            "gen_ai.operation.name": "generate_content",
            "gen_ai.provider.name": "azure.ai.openai",
            "gateway.upstream": "hosted",
            "gateway.operation": "createImage",
          },
        },
      ],
    },
  ]);
  expect(JSON.stringify(logged)).not.toContain("secret");
});

test("metrics are exported at the interval", async () => {
  await open({ OTEL_METRIC_EXPORT_INTERVAL: "5" });

  await expect.poll(() => collector.exports.metrics).toBeGreaterThan(2);
});

test("a collector that hangs gets one export at a time, and does not stop the exit", async () => {
  collector.hold();
  const metricsExport = await open({ OTEL_METRIC_EXPORT_INTERVAL: "1" });

  await metricsExport.close();

  expect(collector.exports.metrics).toBe(0);
});

test("a collector that takes no metrics is logged once, without its reply", async () => {
  collector.respond(404);
  await open({ OTEL_METRIC_EXPORT_INTERVAL: "5" });

  await expect.poll(() => logged.length).toBe(2);
  collector.respond(200);
  await expect.poll(() => logged.length).toBe(3);

  expect(logged).toMatchObject([
    { msg: "Metrics are exported.", collector: new URL(collector.url).host },
    { msg: "Metrics cannot be exported and are dropped.", reason: "Not Found" },
    { msg: "Metrics are exported again." },
  ]);
});

test("the export is off without an endpoint, and for metrics alone", async () => {
  const read = (environment: Record<string, string>) => {
    const warnings: string[] = [];
    return { settings: readMetricsExportSettings(environment, (text) => warnings.push(text)), warnings };
  };
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
  const off = { settings: undefined, warnings: [] };

  expect(read({})).toEqual(off);
  expect(read({ ...endpoint, OTEL_METRICS_EXPORTER: "none" })).toEqual(off);
  expect(read({ ...endpoint, OTEL_SDK_DISABLED: "true" })).toEqual(off);
  expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector:4318/v1/traces" })).toEqual(off);
  expect(read({ ...endpoint, OTEL_METRICS_EXPORTER: "prometheus" })).toEqual({
    settings: undefined,
    warnings: [expect.stringContaining("OTEL_METRICS_EXPORTER")],
  });
  expect(
    read({
      ...endpoint,
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "https://metrics.example/in",
      OTEL_METRIC_EXPORT_TIMEOUT: "4000",
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "delta",
    }),
  ).toEqual({
    settings: {
      url: "https://metrics.example/in",
      protocol: "http/protobuf",
      compression: "none",
      headers: {},
      timeoutMs: 4000,
      intervalMs: 60_000,
      resource: { "service.name": "model-gateway" },
    },
    warnings: [expect.stringContaining("always cumulative")],
  });
});
