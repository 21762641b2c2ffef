import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMetrics } from "../../src/telemetry/metrics/metrics.js";
import { stateMetrics } from "../../src/telemetry/metrics/state-metrics.js";

const guide = readFileSync(new URL("../../../docs/guides/monitoring.md", import.meta.url), "utf8");

const noCalls = { direct: 0, waited: 0, refused: 0, waitedMs: 0 };

test("the guide lists the metrics that there are, with their types, and no others", async () => {
  const metrics = createMetrics({ isModel: () => true, isUpstream: () => true });
  metrics.include(() =>
    stateMetrics({
      targets: () => [],
      deletedRows: () => 0,
      queue: () => ({ waiting: [], counts: { interactive: noCalls, bulk: noCalls } }),
      webhooks: () => ({ pending: 0, ended: [] }),
      diskFreeBytes: () => 0,
      uploadBytes: () => 0,
      slowReaders: () => 0,
      tasks: () => new Map(),
      upstreams: () => [],
      droppedSpans: () => ({ queueFull: 0, exportFailed: 0 }),
      spaceChecks: () => new Map(),
      shadows: () => [],
      ledger: () => ({
        rows: 0,
        bytes: 0,
        heldRows: 0,
        oldestAgeMs: null,
        shipped: 0,
        dropped: 0,
        corrupt: 0,
        rejected: 0,
        lastFailure: null,
      }),
    }),
  );
  const { text } = await metrics.render();

  const documented = [...guide.matchAll(/^\| `(gateway_\w+)`\s+\| (\w+)/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  );
  const there = [...text.matchAll(/^# TYPE (gateway_\w+ \w+)$/gm)].map(([, one]) => one);

  expect(documented.sort()).toEqual(there.sort());
});
