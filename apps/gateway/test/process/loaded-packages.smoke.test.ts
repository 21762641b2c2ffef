import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundledPackages } from "../../bundled-packages.mjs";
import { GatewayFolder } from "../gateway/built.js";

const preload = join(import.meta.dirname, "loaded-packages.mjs");
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
/** A recent Node has SQLite itself. */
const sqlite = "@photostructure/sqlite";
/** The packages that the gateway depends on, and that are not inside its bundle. */
const own: string[] = Object.keys(manifest.dependencies).filter(
  (name) => !bundledPackages.includes(name) && name !== sqlite,
);

/** The packages that a gateway has loaded once it listens, and the chunks of its bundle, which have their names. */
async function loadedBy(config?: string, environment: Readonly<Record<string, string>> = {}) {
  const home = new GatewayFolder(config);
  onTestFinished(() => home.remove());
  const gateway = await home.start(environment, { preload });
  return (await gateway.ask("packages")) as string[];
}

async function loadedWith(config?: string): Promise<string[]> {
  const loaded = await loadedBy(config);
  return loaded.filter((name) => own.includes(name));
}

const remote = `
upstreams: { one: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } }
models: { one: { type: embedding, dimensions: 8, targets: [{ upstream: one, model: one }] } }
`;

test("a start loads neither databases, clients nor image code that is not configured", async () => {
  expect(await loadedWith(remote)).toEqual(["ipaddr.js"]);
});

test("a start without a configuration file loads no more, apart from sharp a moment later", async () => {
  const loaded = await loadedWith();

  expect(loaded.filter((name) => name !== "sharp")).toEqual(["ipaddr.js"]);
});

test("OpenTelemetry is loaded only where traces or metrics are exported", async () => {
  const telemetryIn = (loaded: readonly string[]) => loaded.filter((name) => /opentelemetry|otlp/.test(name));
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };

  const loaded = await loadedBy(remote);

  expect(loaded).toContain("express");
  expect(telemetryIn(loaded)).toEqual([]);
  expect(telemetryIn(await loadedBy(remote, { ...collector, OTEL_METRICS_EXPORTER: "none" }))).toEqual(
    expect.arrayContaining(["@opentelemetry/sdk-trace", "otlp-tracer"]),
  );
  expect(telemetryIn(await loadedBy(remote, { ...collector, OTEL_TRACES_EXPORTER: "none" }))).toEqual(
    expect.arrayContaining(["@opentelemetry/otlp-transformer", "otlp-metrics-export"]),
  );
});
