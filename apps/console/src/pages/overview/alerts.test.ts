import { expect, test } from "vitest";
import type { Schemas } from "../../operations/schemas.js";
import { describeAlerts } from "./alerts.js";

const nowMs = 1_000_000_000;
const target: Schemas["TargetState"] = {
  upstream: "studio",
  model: "m",
  serves: ["a"],
  state: "healthy",
  in_flight: 0,
  failing_since: null,
  failures: 0,
  latency: null,
  last_error: null,
  paused_until: null,
  space_check: null,
};
const key = (usd: number, spent_usd: number) =>
  ({
    id: "key_1",
    name: "nightly",
    budget: { usd, per: "month" },
    budget_usage: { spent_usd, remaining_usd: 0, resets_at: 0 },
  }) as Schemas["AccessKey"];

const none: Schemas["Alerts"] = {
  object: "alerts",
  targets: [],
  models: [],
  keys: [],
  configuration_refusal: null,
};

test("there are no alerts while all is well", () => {
  expect(describeAlerts(none, nowMs)).toEqual([]);
});

test("alerts are sentences, the worst first", () => {
  const last_error = { at: nowMs / 1000 - 120, code: "upstream_unavailable", message: "It refuses." };

  const alerts = describeAlerts(
    {
      ...none,
      targets: [
        { ...target, state: "cooling" },
        {
          ...target,
          state: "open",
          failing_since: nowMs / 1000 - 180,
          failures: 12,
          paused_until: nowMs / 1000 + 4,
          last_error,
        },
      ],
      models: [
        { id: "a", failing_since: nowMs / 1000 - 180, fallback: null },
        { id: "b", failing_since: nowMs / 1000 - 60, fallback: "c" },
      ],
      keys: [key(25, 23)],
      configuration_refusal: { at: 1, faults: ["a fault"] },
    },
    nowMs,
  );

  expect(alerts.map(({ tone, text }) => [tone, text])).toEqual([
    ["bad", "The configuration file was changed and refused. The old one is still in force."],
    ["bad", "a has had no healthy target for 3 min. Its requests fail."],
    ["bad", "b has had no healthy target for 1 min. c serves its requests."],
    [
      "bad",
      "studio / m is down for 3 min, 12 failures, next try in 4 s (it serves a): It refuses. (2 min ago)",
    ],
    ["warn", "studio / m is paused by the upstream (it serves a)"],
    ["warn", "The key nightly has used 92 % of $25.00 this month."],
  ]);
});

test("changed vectors are named as such, whatever failed before", () => {
  const last_error = { at: nowMs / 1000 - 120, code: "upstream_unavailable", message: "It refuses." };

  const alerts = describeAlerts({ ...none, targets: [{ ...target, state: "drifted", last_error }] }, nowMs);

  expect(alerts.map(({ tone, text }) => [tone, text])).toEqual([
    ["bad", "studio / m is drifted (it serves a): its vectors have changed"],
  ]);
});
