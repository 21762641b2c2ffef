import { expect, test } from "vitest";
import { placeLabels } from "./place-labels.js";

const label = (x: number, y: number) => ({ x, y, isLeft: x > 300, length: 20 });

test("a label is beside its point", () => {
  expect(placeLabels([label(100, 50), label(100, 150)], 600)).toEqual([54, 154]);
});

test("labels of near points are below each other", () => {
  expect(placeLabels([label(100, 50), label(100, 51)], 600)).toEqual([54, 70]);
});

test("a label does not cover the point that is beside its own", () => {
  const [first = 0, second = 0] = placeLabels([label(100, 50), label(120, 56)], 600);

  // The first is above the other point, and the second below the first label.
  expect([first, second]).toEqual([49, 65]);
});
