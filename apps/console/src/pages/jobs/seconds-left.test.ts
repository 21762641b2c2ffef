import { expect, test } from "vitest";
import { secondsLeft } from "./seconds-left.js";

const running = { status: "in_progress", in_progress_at: 1000 } as const;

test("the time left follows from the lines that have ended", () => {
  const request_counts = { total: 100, completed: 20, failed: 5 };

  expect(secondsLeft({ ...running, request_counts }, 1050)).toBe(150);
});

test.each([
  ["too few lines have ended", { ...running, request_counts: { total: 100, completed: 4, failed: 0 } }],
  [
    "it has not begun",
    { ...running, in_progress_at: null, request_counts: { total: 100, completed: 9, failed: 0 } },
  ],
  [
    "it has ended",
    { ...running, status: "completed", request_counts: { total: 9, completed: 9, failed: 0 } },
  ],
] as const)("nothing is said if %s", (_, batch) => {
  expect(secondsLeft(batch, 1050)).toBeUndefined();
});
