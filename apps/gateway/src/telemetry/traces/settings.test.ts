import { expect, test } from "vitest";
import { readTraceSettings } from "./settings.js";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
const standard = {
  url: "http://collector:4318/v1/traces",
  protocol: "http/protobuf",
  compression: "none",
  headers: {},
  timeoutMs: 10_000,
  sampler: { kind: "always_on", isParentBased: true, ratio: 1 },
  resource: { "service.name": "model-gateway" },
  queueMax: 2048,
  batchMax: 512,
  delayMs: 5000,
};

function read(environment: Record<string, string>) {
  const warnings: string[] = [];
  return { settings: readTraceSettings(environment, (message) => warnings.push(message)), warnings };
}

test.each([
  ["no variable is set", {}],
  ["only the service name is set", { OTEL_SERVICE_NAME: "gateway" }],
  ["the endpoint is empty", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
  ["the SDK is disabled", { ...endpoint, OTEL_SDK_DISABLED: "TRUE" }],
  ["the exporter is `none`", { ...endpoint, OTEL_TRACES_EXPORTER: "none" }],
])("traces are off if %s", (_name, environment) => {
  expect(read(environment)).toEqual({ settings: undefined, warnings: [] });
});

test("an endpoint turns traces on, and the endpoint for traces alone is used unchanged", () => {
  expect(read(endpoint)).toEqual({ settings: standard, warnings: [] });
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/base/" }).settings?.url).toBe(
    "http://collector:4318/base/v1/traces",
  );
  expect(
    read({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/in" }).settings?.url,
  ).toBe("https://traces.example/in");
});

test("naming the exporter turns traces on, at the default endpoint", () => {
  expect(read({ OTEL_TRACES_EXPORTER: "otlp" }).settings?.url).toBe("http://localhost:4318/v1/traces");
});

test("every variable is applied", () => {
  const { settings, warnings } = read({
    ...endpoint,
    OTEL_SERVICE_NAME: "embeddings",
    OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment.name=a%20b, team = search ",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc=,x-tenant=1",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-tenant=2",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    OTEL_EXPORTER_OTLP_TIMEOUT: "2000",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
    OTEL_BSP_MAX_QUEUE_SIZE: "100",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "50",
    OTEL_BSP_SCHEDULE_DELAY: "1000",
  });

  expect(warnings).toEqual([]);
  expect(settings).toEqual({
    url: "http://collector:4318/v1/traces",
    protocol: "http/json",
    compression: "gzip",
    headers: { authorization: "Bearer abc=", "x-tenant": "2" },
    timeoutMs: 2000,
    sampler: { kind: "traceidratio", isParentBased: true, ratio: 0.25 },
    resource: { "service.name": "embeddings", "deployment.environment.name": "a b", team: "search" },
    queueMax: 100,
    batchMax: 50,
    delayMs: 1000,
  });
  expect(read({ ...endpoint, OTEL_TRACES_SAMPLER: "always_off" }).settings?.sampler).toEqual({
    kind: "always_off",
    isParentBased: false,
    ratio: 1,
  });
});

test("a variable that cannot be parsed counts as absent, and the warning omits its value", () => {
  const { settings, warnings } = read({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "secret-without-a-name",
    OTEL_RESOURCE_ATTRIBUTES: "a=%",
    OTEL_TRACES_SAMPLER: "sometimes",
    OTEL_TRACES_SAMPLER_ARG: "much",
    OTEL_BSP_SCHEDULE_DELAY: "-1",
    OTEL_EXPORTER_OTLP_PROTOCOL: "carrier-pigeon",
  });

  expect(settings).toEqual(standard);
  expect(warnings).toHaveLength(6);
  expect(warnings.join(" ")).not.toMatch(/secret-without|sometimes|much|-1|pigeon/);
});

test.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }],
  ["OTEL_TRACES_EXPORTER", { ...endpoint, OTEL_TRACES_EXPORTER: "zipkin" }],
])("an unsupported %s turns traces off with a warning", (name, environment) => {
  const { settings, warnings } = read(environment);

  expect(settings).toBeUndefined();
  expect(warnings).toEqual([expect.stringContaining(name)]);
});
