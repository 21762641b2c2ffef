import { expect, test } from "vitest";
import { formatUsd } from "./format.js";

test.each([
  [0, "$0"],
  [1e-10, "< $0.000000001"],
  [0.000_000_06, "$0.00000006"],
  [0.000_738_4, "$0.000738"],
  [0.012_34, "$0.0123"],
  [0.5, "$0.50"],
  [1234.567, "$1,234.57"],
])("an amount has the digits that tell it from others: %d", (usd, text) => {
  expect(formatUsd(usd)).toBe(text);
});
