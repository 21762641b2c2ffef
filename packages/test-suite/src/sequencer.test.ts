import { expect, test } from "vitest";
import { propertiesFirst } from "./sequencer.js";

test("property tests begin first, and the order is kept otherwise", () => {
  const sorted = ["d.test.ts", "c.property.test.ts", "b.full.test.ts", "a.property.test.ts"];

  const files = propertiesFirst(sorted.map((moduleId) => ({ moduleId })));

  expect(files.map(({ moduleId }) => moduleId)).toEqual([
    "c.property.test.ts",
    "a.property.test.ts",
    "d.test.ts",
    "b.full.test.ts",
  ]);
});
