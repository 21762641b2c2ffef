import type { TargetHistory } from "@model-gateway/scheduling/scheduler";
import { expect, test } from "vitest";
import { observeHistory } from "./history.js";

const history = (model: string, ok: number): TargetHistory => ({
  upstream: "one",
  model,
  since: 0,
  provenAt: ok === 0 ? null : 1,
  halfHours: [{ start: 0, ok, failed: 0, downMs: 0 }],
  failures: [],
});

const observe = (reports: unknown) =>
  observeHistory(() => [history("a", 1), history("b", 1)], {
    answer: () => undefined,
    ask: async () => reports,
  })();

test("the calls of all workers count, for the targets of this one", async () => {
  const reports = [[history("a", 1), history("b", 1)], undefined, [history("a", 5), history("removed", 9)]];

  expect(await observe(reports)).toEqual([history("a", 6), history("b", 1)]);
});

test("a worker that gets no reply reports its own counts", async () => {
  expect(await observe(undefined)).toEqual([history("a", 1), history("b", 1)]);
});
