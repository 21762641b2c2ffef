import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Collector,
  type ReceivedMetric,
  startCollector,
} from "../../../src/telemetry/otlp/test/collector.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, patientTimers, startBuiltGateway } from "../../gateway/built.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";

/** The last export of a gateway that stops is given up after a while, so that a collector that hangs does not delay it. */
const patient = { preload: patientTimers };

let collector: Collector;
let upstream: FakeUpstream;
beforeAll(async () => {
  collector = await startCollector();
  upstream = await startFakeUpstream();
});
afterAll(async () => {
  await collector.close();
  await upstream.close();
});

function start(
  environment: Readonly<Record<string, string>>,
  options: { readonly preload?: string } = patient,
): Promise<BuiltGateway> {
  return startBuiltGateway(
    `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { text: { type: embedding, targets: [{ upstream: fake, model: text }] } }
`,
    {
      ...options,
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_METRIC_EXPORT_INTERVAL: "200",
        OTEL_BSP_SCHEDULE_DELAY: "50",
        ...environment,
      },
    },
  );
}

async function embed(gateway: BuiltGateway, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    // A new connection, so that all workers get some, and an input that no cache has.
    const init = { headers: { connection: "close" } };
    const response = await gateway.sendJson("/v1/embeddings", { model: "text", input: randomUUID() }, init);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  }
}

function total(metric: ReceivedMetric | undefined, labels: Readonly<Record<string, unknown>>): number {
  const points = metric?.points.filter(({ attributes }) =>
    Object.entries(labels).every(([name, value]) => attributes[name] === value),
  );
  return (points ?? []).reduce((sum, { value, count }) => sum + (value ?? count ?? 0), 0);
}

async function expectExports(gateway: BuiltGateway, workers: number): Promise<void> {
  const counted = () => total(collector.metrics.get("gateway_requests_total"), { model: "text" });
  const attempts = () => collector.metrics.get("gen_ai.client.operation.duration");
  collector.spans.length = 0;
  try {
    await embed(gateway, 8);

    await expect.poll(counted).toBe(8);
    await expect.poll(() => total(collector.metrics.get("gateway_workers"), {})).toBe(workers);
    expect(attempts()).toMatchObject({ unit: "s", kind: "histogram", temporality: 2 });
    const labels = { "gen_ai.operation.name": "embeddings", "gen_ai.provider.name": "openai-compatible" };
    expect(total(attempts(), labels)).toBe(8);
    await embed(gateway, 3);
  } finally {
    // The remaining points are exported before the exit.
    expect(await gateway.stop()).toBe(0);
  }

  expect(counted()).toBe(11);
  expect(collector.spans.filter(({ name }) => name === "createEmbedding")).toHaveLength(11);
}

test("a gateway exports its traces and metrics as JSON", async () => {
  await expectExports(await start({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }), 1);

  const types = Object.values(collector.last).map(({ headers }) => headers["content-type"]);
  expect(types).toEqual(["application/json", "application/json"]);
});

describeServed("a gateway of two workers", () => {
  let servers: OpenStage;
  beforeAll(async () => {
    servers = await openServers();
  });
  afterAll(() => servers.close([]));
  const startTwo = (options?: { readonly preload?: string }) =>
    start({ ...servers.environment, WORKERS: "2" }, options);

  test("exports its traces and the sum of its metrics as protobuf", async () => {
    await expectExports(await startTwo(), 2);

    const types = Object.values(collector.last).map(({ headers }) => headers["content-type"]);
    expect(types).toEqual(["application/x-protobuf", "application/x-protobuf"]);
  });

  test("exits although its collector hangs", async () => {
    const gateway = await startTwo({});
    try {
      await embed(gateway, 1);
      collector.hold();
    } finally {
      expect(await gateway.stop()).toBe(0);
    }

    collector.release();
  });
});
