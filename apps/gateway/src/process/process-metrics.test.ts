import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { writePrometheusText } from "../telemetry/metrics/prometheus-text.js";
import { processMetrics } from "./process-metrics.js";

/** The names, types and descriptions that prom-client has for a process. */
const expected = readFileSync(new URL("./test/process-metrics.txt", import.meta.url), "utf8");

test("the metrics of the process have their usual names, types and descriptions", () => {
  const text = writePrometheusText(processMetrics()());

  expect(text.split("\n").filter((line) => line.startsWith("# "))).toEqual(expected.trim().split("\n"));
});

test("the metrics of the process have its values", async () => {
  const read = processMetrics();
  read();
  await setImmediate();

  const values = new Map(
    read().flatMap((metric) =>
      metric.type === "histogram"
        ? []
        : metric.samples.map(([labels, value]) => [`${metric.name} ${Object.values(labels)}`, value]),
    ),
  );
  const value = (name: string) => Number(values.get(`${name} `));

  expect(value("process_resident_memory_bytes")).toBeGreaterThan(10 * 2 ** 20);
  expect(value("process_cpu_seconds_total")).toBeCloseTo(
    value("process_cpu_user_seconds_total") + value("process_cpu_system_seconds_total"),
  );
  expect(value("process_start_time_seconds") * 1000).toBeLessThan(Date.now());
  expect(value("nodejs_eventloop_lag_seconds")).toBeGreaterThan(0);
  expect(value("nodejs_heap_size_used_bytes")).toBeLessThanOrEqual(value("nodejs_heap_size_total_bytes"));
  expect(value("nodejs_active_resources_total")).toBeGreaterThanOrEqual(0);
  expect(values.get("nodejs_heap_space_size_total_bytes new")).toBeGreaterThan(0);
  expect([...values.keys()].find((key) => key.startsWith("nodejs_version_info"))).toContain(process.version);
});
