import { expect, test } from "vitest";
import { rowsOf, seriesOf, type UsageGroup } from "./group-usage.js";

const group: UsageGroup = {
  object: "usage",
  requests: 1,
  failed_requests: 0,
  input_tokens: 10,
  output_tokens: 0,
  images: 0,
  cost_usd: null,
  unpriced_requests: 1,
  duration_p50_ms: null,
  duration_p95_ms: null,
  duration_p99_ms: null,
  cached_inputs: 0,
  saved_usd: 0,
};

test("the groups of all steps become one row a name, the largest first", () => {
  const groups = [
    { ...group, model: "a", starts_at: 0 },
    { ...group, model: "b", starts_at: 0, requests: 5, cost_usd: 0.5, unpriced_requests: 0 },
    { ...group, model: "b", starts_at: 60 },
  ];

  const rows = rowsOf(groups, "model", "requests");

  expect(rows.map(({ name, requests }) => [name, requests])).toEqual([
    ["b", 6],
    ["a", 1],
  ]);
});

test("a cost that is not known stays unknown, and is not taken for 0", () => {
  const groups = [
    { ...group, model: "a" },
    { ...group, model: "b", cost_usd: 0.5 },
    { ...group, model: "b" },
  ];

  const costs = rowsOf(groups, "model", "requests").map(({ name, cost_usd }) => [name, cost_usd]);

  expect(Object.fromEntries(costs)).toEqual({ a: null, b: 0.5 });
});

test("an unknown saving stays unknown, even beside requests without a hit", () => {
  const unknown = { ...group, cached_inputs: 2, saved_usd: null };
  const known = { ...group, cached_inputs: 3, saved_usd: 0.5 };
  const groups = [
    { ...group, model: "a" },
    { ...unknown, model: "a" },
    { ...group, model: "a" },
    { ...unknown, model: "b" },
    { ...known, model: "b" },
    { ...group, model: "c" },
  ];

  const saved = rowsOf(groups, "model", "saved_usd").map(({ name, cached_inputs, saved_usd }) => [
    name,
    cached_inputs,
    saved_usd,
  ]);

  expect(saved).toEqual([
    ["b", 5, 0.5],
    ["a", 2, null],
    ["c", 0, 0],
  ]);
});

test("two keys with one name stay two rows with two names in the legend", () => {
  const groups = ["key_1", "key_2"].map((key_id) => ({ ...group, key_id, key_name: "ci", starts_at: 0 }));
  const rows = rowsOf(groups, "key", "requests");

  const { names } = seriesOf(groups, rows, {
    by: "key",
    measure: "requests",
    steps: { starts: [0], label: String },
  });

  expect(names).toEqual(["ci", "ci (2)"]);
});

test("more than eight rows share the last series, and nothing is lost", () => {
  const groups = Array.from({ length: 12 }, (_, index) => ({ ...group, model: `m${index}`, starts_at: 60 }));
  const rows = rowsOf(groups, "model", "requests");

  const { names, bars } = seriesOf(groups, rows, {
    by: "model",
    measure: "requests",
    steps: { starts: [0, 60], label: String },
  });

  expect(names).toHaveLength(8);
  expect(names.at(-1)).toBe("5 others");
  expect(bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0))).toEqual([0, 12]);
});
