import { expect, test } from "vitest";
import type { Schemas } from "../../operations/schemas.js";
import { chartUsage, internalName } from "./failure-chart.js";

type UsageGroup = Schemas["UsageGroup"];

const groupOf = (
  model: string | null,
  requests: number,
  failed_requests: number,
  starts_at = 0,
): UsageGroup => ({
  object: "usage",
  starts_at,
  model,
  requests,
  failed_requests,
  input_tokens: 0,
  output_tokens: 0,
  images: 0,
  cost_usd: 0,
  unpriced_requests: 0,
  duration_p50_ms: 1,
  duration_p95_ms: 1,
  duration_p99_ms: 1,
  cached_inputs: 0,
  saved_usd: 0,
});

test("requests and failures of the console and of checks are a separate series", () => {
  const groups = [groupOf("a", 10, 4), groupOf("b", 20, 3), groupOf("b", 5, 2, 3600)];
  const internal = [groupOf("a", 4, 4), groupOf("b", 1, 1, 3600)];

  const { requests, failed, rows } = chartUsage(groups, internal);
  const counted = requests.map((group) => [group.model, group.starts_at, group.requests]);

  expect(counted).toEqual([
    ["a", 0, 6],
    ["b", 0, 20],
    ["b", 3600, 4],
    [internalName, 0, 4],
    [internalName, 3600, 1],
  ]);
  expect(failed.map(({ model, starts_at, failed_requests }) => [model, starts_at, failed_requests])).toEqual([
    ["b", 0, 3],
    ["b", 3600, 1],
    [internalName, 0, 4],
    [internalName, 3600, 1],
  ]);
  expect(rows.map(({ name }) => name)).toEqual(["b", "a", internalName]);
});

test("of many models, those that fail most have a colour in all charts, and so has the console", () => {
  const groups = Array.from({ length: 20 }, (_, index) =>
    groupOf(`m${index}`, 100 - index, index === 19 ? 5 : 0),
  );

  const { rows } = chartUsage(groups, [groupOf("m1", 1, 1)]);

  expect(rows.slice(0, 7).map(({ name }) => name)).toEqual([
    "m0",
    "m1",
    "m2",
    "m3",
    "m4",
    "m5",
    internalName,
  ]);
  expect(
    chartUsage(groups, [])
      .rows.slice(0, 7)
      .map(({ name }) => name),
  ).toEqual(["m0", "m1", "m2", "m3", "m4", "m5", "m19"]);
});
