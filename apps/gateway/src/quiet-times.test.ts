import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { QuietTimes } from "./quiet-times.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const inSteps = "--incremental-marking";
const inOneGo = "--no-incremental-marking";

function createFixture() {
  const flags: string[] = [];
  const requests = { underWay: 0 };
  const quietTimes = new QuietTimes((given) => flags.push(given));
  quietTimes.watch(() => requests.underWay);
  return { quietTimes, flags, requests };
}

test("V8 does not tidy up in a pause, and marks in steps again with the next request", () => {
  const { quietTimes, flags } = createFixture();
  quietTimes.onWork();

  vi.advanceTimersByTime(5000);
  const inPause = [...flags];
  quietTimes.onWork();

  expect(inPause).toEqual([inOneGo]);
  expect(flags).toEqual([inOneGo, inSteps]);
});

test("between requests that come one after the other nothing is changed", () => {
  const { quietTimes, flags } = createFixture();

  for (let request = 0; request < 20; request += 1) {
    quietTimes.onWork();
    vi.advanceTimersByTime(900);
  }

  expect(flags).toEqual([]);
});

test("a request that takes long is no pause", () => {
  const { quietTimes, flags, requests } = createFixture();
  quietTimes.onWork();
  requests.underWay = 1;

  vi.advanceTimersByTime(60_000);

  expect(flags).toEqual([]);
});

test("after ten minutes V8 may tidy up, once", () => {
  const { quietTimes, flags } = createFixture();

  vi.advanceTimersByTime(1_300_000);
  const inPause = [...flags];
  quietTimes.onWork();

  expect(inPause).toEqual([inOneGo, inSteps]);
  expect(flags).toEqual(inPause);
});
