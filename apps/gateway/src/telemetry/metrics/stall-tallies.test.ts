import { expect, test } from "vitest";
import { writePrometheusText } from "./prometheus-text.js";
import { StallTallies } from "./stall-tallies.js";

const linesOf = (tallies: StallTallies) =>
  writePrometheusText(tallies.read())
    .split("\n")
    .filter((line) => line.startsWith("gateway_"));

test("stalls are counted by operation and function", () => {
  const tallies = new StallTallies();
  tallies.note({ operation: "createEmbedding", function: "parse" });
  tallies.note({ operation: "createEmbedding", function: "parse" });
  tallies.note({ operation: undefined, function: undefined });

  expect(linesOf(tallies)).toEqual([
    'gateway_event_loop_stalls_total{operation="createEmbedding",function="parse"} 2',
    'gateway_event_loop_stalls_total{operation="none",function="unknown"} 1',
  ]);
});

test("the number of functions is bounded, and none of their stalls is lost", () => {
  const tallies = new StallTallies();
  for (let index = 0; index < 1000; index += 1)
    tallies.note({ operation: "createImage", function: `f${index}` });

  const lines = linesOf(tallies);

  expect(lines).toHaveLength(51);
  expect(lines.at(-1)).toBe('gateway_event_loop_stalls_total{operation="createImage",function="other"} 950');
});
