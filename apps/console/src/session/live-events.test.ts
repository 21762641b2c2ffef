import { type GatewayEvent, GatewayRequestError } from "@model-gateway/client";
import { expect, test } from "vitest";
import { LiveEvents } from "./live-events.js";

const started = { type: "stream.started" } as GatewayEvent;
const finished = { type: "request.finished" } as GatewayEvent;

type Script = (signal: AbortSignal) => AsyncIterable<GatewayEvent>;

/** A gateway whose streams follow scripts, one after the other. The last one is the end of the test. */
function createFixture(...scripts: Script[]) {
  const seen: string[] = [];
  const listeners = new Set<() => void>();
  let isHidden = false;
  let opened = 0;
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const live: LiveEvents = new LiveEvents({
    open: async (signal) => {
      seen.push("open");
      const script = scripts[opened++];
      if (script !== undefined) return script(signal);
      stop();
      finish();
      throw new TypeError("The test is over.");
    },
    onEvent: ({ type }) => seen.push(`${type} ${live.read() ? "followed" : "down"}`),
    onMissed: () => seen.push("missed"),
    onExpired: () => {
      seen.push("expired");
      finish();
    },
    visibility: {
      isHidden: () => isHidden,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    pause: async (ms) => void seen.push(`pause ${ms}`),
  });
  const stop = live.start();
  const show = (isShown: boolean) => {
    isHidden = !isShown;
    for (const listener of [...listeners]) listener();
  };
  return { live, seen, done, show };
}

const failing: Script = () => {
  throw new TypeError("fetch failed");
};

test("events are passed on, and a stream that ends is reopened, with a note about missed events", async () => {
  const { live, seen, done } = createFixture(
    async function* () {
      yield started;
      yield finished;
    },
    async function* () {
      yield started;
    },
  );
  await done;

  expect(seen).toEqual([
    "open",
    "request.finished followed",
    "pause 1000",
    "open",
    "missed",
    "pause 1000",
    "open",
  ]);
  expect(live.read()).toBe(false);
});

test("pauses grow while the gateway is unreachable, and restart after it was there", async () => {
  const { seen, done } = createFixture(failing, failing, failing, async function* () {
    yield started;
  });
  await done;

  expect(seen.filter((line) => line.startsWith("pause"))).toEqual([
    "pause 1000",
    "pause 2000",
    "pause 5000",
    "pause 1000",
  ]);
});

test("a hidden tab leaves the stream, and opens it again when it is seen", async () => {
  const fixture = createFixture(async function* (signal) {
    yield started;
    queueMicrotask(() => {
      fixture.show(false);
      fixture.seen.push("hidden");
    });
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  await expect.poll(() => [...fixture.seen, fixture.live.read()]).toEqual(["open", "hidden", false]);

  fixture.show(true);
  await fixture.done;

  expect(fixture.seen).toEqual(["open", "hidden", "open"]);
});

test("the end of the session is reported, and the stream is not opened again", async () => {
  const { seen, done } = createFixture(async function* () {
    yield started;
    const error = { message: "m", type: "e", param: null, code: "invalid_api_key" };
    throw new GatewayRequestError({ status: 401, requestId: "r", error } as never);
  });
  await done;

  expect(seen).toEqual(["open", "expired"]);
});
