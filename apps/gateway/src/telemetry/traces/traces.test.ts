import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Upstream } from "@model-gateway/domain/model";
import type { FinishedTrace, TracedRequest, Tracer } from "@model-gateway/domain/trace";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../log.js";
import { type Collector, startCollector } from "../otlp/test/collector.js";
import { openTracer } from "./traces.js";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const request: TracedRequest = {
  operation: "createEmbedding",
  method: "POST",
  route: "/v1/embeddings",
  path: "/v1/embeddings",
  traceparent: undefined,
  tracestate: undefined,
};
const fromCaller = { ...request, traceparent: `00-${traceId}-${spanId}-01`, tracestate: "vendor=a,other=b" };
const upstream: Upstream = {
  name: "main",
  provider: "openai",
  baseUrl: "https://user:secret@api.example/v1",
  hasKey: true,
  allowPrivateUrls: false,
  settings: { apiKey: "sk-secret" },
};
const finished: FinishedTrace = {
  id: "req_1",
  status: 200,
  errorCode: null,
  model: "small",
  inputTokens: 12,
  outputTokens: 0,
};

let collector: Collector;
let logged: { msg: string }[];
let opened: Tracer[];

beforeEach(async () => {
  collector = await startCollector();
  logged = [];
  opened = [];
});
afterEach(async () => {
  collector.release();
  await Promise.all(opened.map((tracer) => tracer.close()));
  await collector.close();
});

async function open(environment: Record<string, string> = {}): Promise<Tracer> {
  const log = createLog("info", { write: (line) => void logged.push(JSON.parse(line)) }, new SecretFilter());
  const tracer = await openTracer({
    secrets: new SecretFilter(),
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment },
    log,
  });
  opened.push(tracer);
  return tracer;
}

test.each([
  ["http/protobuf", "application/x-protobuf"],
  ["http/json", "application/json"],
])("a request is a span, and each attempt a child span, over %s", async (protocol, contentType) => {
  const tracer = await open({
    OTEL_SERVICE_NAME: "gateway-test",
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=7",
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  });

  const trace = tracer.begin(request);
  const first = trace.beginAttempt({ upstream, model: "text-embedding-3-small", attempt: 1 });
  first.end({ failure: new GatewayError("upstream_error", "secret prompt", { upstreamStatus: 500 }) });
  const second = trace.beginAttempt({ upstream, model: "text-embedding-3-small", attempt: 2 });
  second.end({});
  trace.end(finished);
  await tracer.close();

  expect(collector.last.traces).toMatchObject({
    path: "/v1/traces",
    headers: { "content-type": contentType, "x-tenant": "7" },
    resource: { "service.name": "gateway-test", "service.instance.id": expect.any(String) },
  });
  const [one, two, whole] = collector.spans;
  const attempt = {
    "gateway.upstream": "main",
    "gen_ai.operation.name": "embeddings",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "text-embedding-3-small",
    "http.request.method": "POST",
    "server.address": "api.example",
    "server.port": 443,
  };
  expect([one, two, whole]).toMatchObject([
    { name: "embeddings text-embedding-3-small", kind: 3, parentSpanId: whole?.spanId, status: { code: 2 } },
    { name: "embeddings text-embedding-3-small", kind: 3, parentSpanId: whole?.spanId, status: { code: 0 } },
    { name: "createEmbedding", kind: 2, status: { code: 0 } },
  ]);
  expect(one?.attributes).toEqual({
    ...attempt,
    "error.type": "upstream_error",
    "http.response.status_code": 500,
  });
  expect(two?.attributes).toEqual({ ...attempt, "http.request.resend_count": 1 });
  expect(whole?.attributes).toEqual({
    "gateway.request_id": "req_1",
    "gen_ai.operation.name": "embeddings",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 12,
    "http.request.method": "POST",
    "http.response.status_code": 200,
    "http.route": "/v1/embeddings",
    "url.path": "/v1/embeddings",
    "url.scheme": "http",
  });
  expect(first.headers).toEqual({ traceparent: `00-${one?.traceId}-${one?.spanId}-01` });
  expect(JSON.stringify(collector.spans)).not.toContain("secret");
});

test("a caller's trace is continued and forwarded to the upstream", async () => {
  const tracer = await open();

  const trace = tracer.begin(fromCaller);
  const { headers, end } = trace.beginAttempt({ upstream, model: "m", attempt: 1 });
  end({});
  trace.end(finished);
  await tracer.close();

  const [attempt, whole] = collector.spans;
  expect([attempt?.traceId, whole?.traceId, whole?.parentSpanId]).toEqual([traceId, traceId, spanId]);
  expect(headers).toEqual({
    traceparent: `00-${traceId}-${attempt?.spanId}-01`,
    tracestate: "vendor=a,other=b",
  });
});

test("a trace that the caller does not sample is not recorded, but forwarded", async () => {
  const tracer = await open();

  const trace = tracer.begin({ ...fromCaller, traceparent: `00-${traceId}-${spanId}-00` });
  const { headers, end } = trace.beginAttempt({ upstream, model: "m", attempt: 1 });
  end({});
  trace.end(finished);
  await tracer.close();

  expect(collector.spans).toEqual([]);
  expect(headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
});

test("an invalid traceparent begins a new trace", async () => {
  const tracer = await open();

  tracer.begin({ ...request, traceparent: "garbage", tracestate: "a=b" }).end(finished);
  await tracer.close();

  expect(collector.spans).toMatchObject([{ name: "createEmbedding" }]);
  expect(collector.spans[0]?.parentSpanId).toBeUndefined();
});

test("the sampler decides which traces are recorded", async () => {
  const tracer = await open({
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0",
  });

  tracer.begin(request).end(finished);
  tracer.begin(fromCaller).end(finished);
  await tracer.close();

  expect(collector.spans.map((span) => span.traceId)).toEqual([traceId]);
});

test.each([
  ["upstream_timeout", 504, 2],
  ["internal_error", 500, 2],
  ["invalid_value", 400, 0],
  ["rate_limit_exceeded", 429, 0],
  // A stream that failed after its 200.
  ["upstream_error", 200, 2],
])(
  "%s with status %i is recorded, and is an error unless the caller is at fault",
  async (code, status, expected) => {
    const tracer = await open();

    tracer.begin(request).end({ ...finished, errorCode: code, status });
    await tracer.close();

    expect(collector.spans).toMatchObject([
      { status: { code: expected }, attributes: { "error.type": code, "http.response.status_code": status } },
    ]);
  },
);

test("an unreachable collector fails no request and is logged once", async () => {
  await collector.close();
  const tracer = await open({ OTEL_BSP_SCHEDULE_DELAY: "1", OTEL_EXPORTER_OTLP_TIMEOUT: "100" });

  for (let round = 0; round < 3; round += 1) {
    const trace = tracer.begin(request);
    trace.beginAttempt({ upstream, model: "m", attempt: 1 }).end({});
    trace.end(finished);
    await expect.poll(() => logged.length, { timeout: 90_000 }).toBeGreaterThanOrEqual(2);
  }
  await tracer.close();

  expect(logged.map(({ msg }) => msg)).toEqual([
    "Traces are recorded.",
    "Traces cannot be exported and are dropped.",
  ]);
});

test("spans are dropped, not queued without bound, while the collector hangs", async () => {
  collector.hold();
  const tracer = await open({ OTEL_BSP_MAX_QUEUE_SIZE: "20", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10" });

  for (let number = 0; number < 1000; number += 1) tracer.begin(request).end(finished);
  collector.release();
  await tracer.close();

  // The batch in flight and the queue.
  expect(collector.spans.length).toBeLessThanOrEqual(30);
  expect(collector.spans.length).toBeGreaterThan(0);
  expect(tracer.dropped()).toEqual({ queueFull: 1000 - collector.spans.length, exportFailed: 0 });
});

test("spans that the collector refuses are counted", async () => {
  collector.respond(400);
  const tracer = await open();

  tracer.begin(request).end(finished);
  tracer.begin({ ...fromCaller, traceparent: `00-${traceId}-${spanId}-00` }).end(finished);
  await tracer.close();

  expect(tracer.dropped()).toEqual({ queueFull: 0, exportFailed: 1 });
});

test("if traces are off, the caller's trace context is forwarded unchanged", async () => {
  const tracer = await open({ OTEL_SDK_DISABLED: "true" });
  const headersOf = (changes: Partial<TracedRequest>) =>
    tracer.begin({ ...fromCaller, ...changes }).beginAttempt({ upstream, model: "m", attempt: 1 }).headers;

  expect(headersOf({})).toEqual({ traceparent: fromCaller.traceparent, tracestate: "vendor=a,other=b" });
  expect(headersOf({ tracestate: undefined })).toEqual({ traceparent: fromCaller.traceparent });
  expect(headersOf({ tracestate: "a=\u00e4\n" })).toEqual({ traceparent: fromCaller.traceparent });
  expect(headersOf({ traceparent: "garbage" })).toEqual({});
  expect(headersOf({ traceparent: undefined })).toEqual({});
  expect(logged).toEqual([]);
});
