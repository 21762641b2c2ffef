import { expect, test } from "vitest";
import { sortRows } from "./sort.js";

const itself = (value: string | number | null) => value;

test("numbers are sorted by size", () => {
  expect(sortRows([10, 9, 100], itself, { descending: false })).toEqual([9, 10, 100]);
  expect(sortRows([10, 9, 100], itself, { descending: true })).toEqual([100, 10, 9]);
});

test("words are sorted as a reader would, with numbers inside them by size", () => {
  expect(sortRows(["m-10", "M-2", "a"], itself, { descending: false })).toEqual(["a", "M-2", "m-10"]);
});

test("rows without a value come last in both directions", () => {
  expect(sortRows([null, 2, 1], itself, { descending: false })).toEqual([1, 2, null]);
  expect(sortRows([null, 2, 1], itself, { descending: true })).toEqual([2, 1, null]);
});

test("the rows that were given stay as they were", () => {
  const rows = [2, 1];

  sortRows(rows, itself, { descending: false });

  expect(rows).toEqual([2, 1]);
});
