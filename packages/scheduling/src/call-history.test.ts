import { EpochClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { CallHistory, mergeHistories } from "./call-history.js";

const minute = 60_000;
const at = (time: string) => Date.parse(`2026-08-17T${time}:00Z`);

const timeout = { code: "upstream_timeout", status: null, message: "No reply within 60 s." };

function createHistory(time = "10:00") {
  const clock = new EpochClock(`2026-08-17T${time}:00Z`);
  return { clock, history: new CallHistory(clock.now) };
}

test("calls are counted in the half hour in which they end", () => {
  const { clock, history } = createHistory("10:20");
  history.succeed();
  history.fail(timeout);
  clock.advance(20 * minute);
  history.succeed();
  history.succeed();

  expect(history.snapshot()).toEqual({
    since: at("10:20"),
    provenAt: at("10:40"),
    halfHours: [
      { start: at("10:00"), ok: 1, failed: 1, downMs: 0 },
      { start: at("10:30"), ok: 2, failed: 0, downMs: 0 },
    ],
    failures: [{ at: at("10:20"), ...timeout }],
  });
});

test("a downtime is spread over its half hours, and goes on while it lasts", () => {
  const { clock, history } = createHistory("10:20");
  history.goDown();
  clock.advance(50 * minute);
  const during = history.snapshot();
  clock.advance(10 * minute);
  history.comeUp();
  clock.advance(60 * minute);

  expect(during.halfHours.map(({ downMs }) => downMs / minute)).toEqual([10, 30, 10]);
  expect(history.snapshot().halfHours.map(({ downMs }) => downMs / minute)).toEqual([10, 30, 20]);
});

test("a pause ends by itself, and may be prolonged", () => {
  const { clock, history } = createHistory();
  history.goDown(minute);
  clock.advance(minute / 2);
  history.goDown(minute);
  clock.advance(10 * minute);

  expect(history.snapshot().halfHours.map(({ downMs }) => downMs / minute)).toEqual([1.5]);
});

test("counts older than 24 hours are left out, and a longer downtime fills all of them", () => {
  const { clock, history } = createHistory();
  history.fail(timeout);
  history.goDown();
  clock.advance(72 * 60 * minute);

  const { since, halfHours } = history.snapshot();

  expect(since).toBe(Date.parse("2026-08-19T10:30:00Z"));
  expect(halfHours.map(({ failed, downMs }) => failed + downMs / minute)).toEqual([
    ...new Array<number>(47).fill(30),
  ]);
});

test("a clock that is set back loses no count and adds no downtime", () => {
  const { clock, history } = createHistory("10:45");
  history.goDown();
  clock.advance(-20 * minute);
  history.fail(timeout);
  history.comeUp();

  expect(history.snapshot().halfHours).toEqual([{ start: at("10:00"), ok: 0, failed: 1, downMs: 0 }]);
});

test("the last failure of each code and status is kept, five at most and for 24 hours", () => {
  const { clock, history } = createHistory();
  history.fail({ ...timeout, message: "No reply within 30 s." });
  for (const status of [500, 501, 502, 503]) {
    clock.advance(minute);
    history.fail({ code: "upstream_error", status, message: `Status ${status}.` });
  }
  clock.advance(minute);
  history.fail(timeout);
  const kept = history.snapshot().failures;
  clock.advance(minute);
  history.fail({ code: "upstream_error", status: 504, message: "Status 504." });

  expect(kept.map(({ message }) => message)).toEqual([
    "No reply within 60 s.",
    "Status 503.",
    "Status 502.",
    "Status 501.",
    "Status 500.",
  ]);
  expect(history.snapshot().failures.map(({ status }) => status)).toEqual([504, null, 503, 502, 501]);
  clock.advance(24 * 60 * minute);
  expect(history.snapshot().failures).toEqual([]);
});

test("stored counts go on", () => {
  const { clock, history } = createHistory();
  history.succeed();
  history.goDown();
  clock.advance(minute);
  const stored = history.snapshot();
  clock.advance(minute);

  const restarted = new CallHistory(clock.now, stored);
  restarted.succeed();

  expect(restarted.snapshot()).toEqual({
    since: at("10:00"),
    provenAt: at("10:02"),
    halfHours: [{ start: at("10:00"), ok: 2, failed: 0, downMs: minute }],
    failures: [],
  });
});

test("workers' counts are summed, and the longest downtime counts", () => {
  const merged = mergeHistories([
    {
      since: 5,
      provenAt: 6,
      halfHours: [{ start: 30, ok: 1, failed: 2, downMs: 9 }],
      failures: [{ at: 31, ...timeout }],
    },
    {
      since: 3,
      provenAt: null,
      failures: [
        { at: 40, ...timeout },
        { at: 32, ...timeout, status: 504 },
      ],
      halfHours: [
        { start: 0, ok: 4, failed: 0, downMs: 0 },
        { start: 30, ok: 3, failed: 1, downMs: 7 },
      ],
    },
  ]);

  expect(merged).toEqual({
    since: 3,
    provenAt: 6,
    halfHours: [
      { start: 0, ok: 4, failed: 0, downMs: 0 },
      { start: 30, ok: 4, failed: 3, downMs: 9 },
    ],
    failures: [
      { at: 40, ...timeout },
      { at: 32, ...timeout, status: 504 },
    ],
  });
});
