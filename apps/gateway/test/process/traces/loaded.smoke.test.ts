import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

async function countLoaded(environment: Readonly<Record<string, string>>): Promise<number> {
  const script = join(import.meta.dirname, "loaded.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(environment)]);
  return Number(stdout);
}

test("OpenTelemetry is not loaded if traces are off", async () => {
  expect(await countLoaded({})).toBe(0);
  expect(await countLoaded({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" })).toBeGreaterThan(10);
});
