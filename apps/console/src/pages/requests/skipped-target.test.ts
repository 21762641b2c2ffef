import { expect, test } from "vitest";
import { describeSkipped } from "./skipped-target.js";

const clock = (seconds: number) => `${seconds} s`;

test("a target that was not called has its last error, since when it failed and its next try", () => {
  const last_error = { at: 20, code: "upstream_error", status: 500, message: "Down." };

  expect(describeSkipped({ failing_since: 10, failures: 5, paused_until: 25, last_error }, clock)).toBe(
    "Down since 10 s, 5 failures. Last error at 20 s with status 500. Next try at 25 s.",
  );
  expect(
    describeSkipped(
      { failing_since: 10, failures: 1, paused_until: null, last_error: { ...last_error, status: null } },
      clock,
    ),
  ).toBe("Down since 10 s, 1 failure. Last error at 20 s.");
});

test("a target that has not failed says nothing", () => {
  expect(
    describeSkipped({ failing_since: null, failures: 0, paused_until: null, last_error: null }, clock),
  ).toBe("");
});
