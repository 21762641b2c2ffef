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
  proven_at: null,
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
  comparisons: [],
  models: [],
  keys: [],
  configuration_refusal: null,
};

test("there are no alerts while all is well", () => {
  expect(describeAlerts(none, nowMs)).toEqual([]);
});

test("alerts are sentences, the worst first", () => {
  const last_error = {
    at: nowMs / 1000 - 120,
    code: "upstream_unavailable",
    status: null,
    message: "It refuses.",
  };

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
    ["bad", "a has had no healthy target since 13:43 UTC (3 min). Its requests fail."],
    ["bad", "b has had no healthy target since 13:45 UTC (1 min). c serves its requests."],
    ["bad", "studio / m has been down since 13:43 UTC (3 min): It refuses."],
    ["warn", "studio / m is paused by the upstream."],
    ["warn", "The key nightly has used 92 % of $25.00 this month."],
  ]);
});

test("changed vectors are named as such, whatever failed before", () => {
  const last_error = {
    at: nowMs / 1000 - 120,
    code: "upstream_unavailable",
    status: null,
    message: "It refuses.",
  };

  const alerts = describeAlerts({ ...none, targets: [{ ...target, state: "drifted", last_error }] }, nowMs);

  expect(alerts.map(({ tone, text }) => [tone, text])).toEqual([
    ["bad", "studio / m returns other vectors than before."],
  ]);
});

test("a comparison whose targets differ names the model, the figures and what to do", () => {
  const targets = [
    {
      upstream: "local",
      model: "gte",
      verdict: "reference",
      differs_in: [],
      cosine_min: null,
      image_cosine_min: null,
    },
    {
      upstream: "studio",
      model: "minilm",
      verdict: "different",
      differs_in: ["texts"],
      cosine_min: 0.2314,
      image_cosine_min: null,
    },
  ] as Schemas["ComparedTarget"][];
  const comparison = { model: "m", compared_at: nowMs / 1000 - 7200, targets } as Schemas["SpaceComparison"];

  expect(describeAlerts({ ...none, comparisons: [comparison] }, nowMs)).toEqual([
    {
      id: "comparison/m",
      tone: "bad",
      text: "m has targets with different vectors (compared 2 h ago, lowest cosine 0.23). Do not mix: studio / minilm gives vectors of another space than local / gte, so give it its own model or correct the name there, and rebuild the indexes that have its vectors.",
      link: "#/upstreams?examine=m&section=doctor",
    },
  ]);
});
