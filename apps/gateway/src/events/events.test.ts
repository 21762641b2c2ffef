import type { Schemas } from "@model-gateway/domain/operations";
import { FakeClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { EventFeed, type GatewayEvent } from "./event-feed.js";
import { EventLog } from "./event-log.js";

const started = { gateway_version: "1.0.0", workers: 2 };

/** Two workers, and a feed on the first of them. */
function createFixture() {
  const clock = new FakeClock();
  const logs = [new EventLog("a", () => clock.now()), new EventLog("b", () => clock.now())] as const;
  const feed = new EventFeed({
    gather: async () => logs.map((log) => log.report()),
    clock,
    timeOfDay: () => clock.now(),
    started,
  });
  const leave = new AbortController();
  const read = (check = async () => undefined) =>
    feed.read({ check, signal: leave.signal })[Symbol.asyncIterator]();
  return { clock, logs, feed, leave, read };
}

function reloaded(worker: number, second = 0): Schemas["ConfigurationReloadedEvent"] {
  const timestamp = new Date(second * 1000).toISOString();
  return { type: "configuration.reloaded", timestamp, data: { accepted: true, faults: [], worker } };
}

function finished(): Schemas["RequestFinishedEvent"] {
  // Only its type matters here.
  return { type: "request.finished", timestamp: "", data: {} } as unknown as Schemas["RequestFinishedEvent"];
}

async function take(events: AsyncIterator<GatewayEvent>, count: number): Promise<GatewayEvent[]> {
  const taken: GatewayEvent[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

test("a reader gets the events of all workers from now on, in time order", async () => {
  const { logs, read } = createFixture();
  logs[0].note(reloaded(1));
  const events = read();
  expect(await take(events, 1)).toMatchObject([{ type: "stream.started", data: started }]);

  logs[0].note(reloaded(1, 20));
  logs[1].note(reloaded(2, 10));

  expect(await take(events, 2)).toEqual([reloaded(2, 10), reloaded(1, 20)]);
});

test("two readers get the same events, each once", async () => {
  const { logs, read } = createFixture();
  const [one, other] = [read(), read()];
  await Promise.all([take(one, 1), take(other, 1)]);

  logs[1].note(reloaded(2, 1));
  logs[1].note(reloaded(2, 2));

  const both = await Promise.all([take(one, 2), take(other, 2)]);
  expect(both).toEqual([
    [reloaded(2, 1), reloaded(2, 2)],
    [reloaded(2, 1), reloaded(2, 2)],
  ]);
});

test("nothing is noted without readers", () => {
  const { clock, logs } = createFixture();
  let described = 0;
  const describe = () => {
    described += 1;
    return finished();
  };

  logs[0].noteRequest(describe);
  logs[0].report();
  logs[0].noteRequest(describe);
  clock.advance(60_000);
  logs[0].noteRequest(describe);

  expect(described).toBe(1);
});

test("a reader misses no event while the workers are asked late", async () => {
  const { clock, logs, read } = createFixture();
  const events = read();
  await take(events, 1);

  logs[1].note(reloaded(2, 1));
  clock.advance(30_000);
  logs[0].note(reloaded(1, 31));

  expect(await take(events, 2)).toEqual([reloaded(2, 1), reloaded(1, 31)]);
});

test("twenty requests a second are sent, and the number of the others", async () => {
  const { logs, read } = createFixture();
  const events = read();
  await take(events, 1);

  for (let request = 0; request < 50; request += 1) logs[0].noteRequest(finished);

  const sent = await take(events, 21);
  expect(sent.slice(0, 20).map(({ type }) => type)).toEqual(Array(20).fill("request.finished"));
  expect(sent[20]).toMatchObject({ type: "events.dropped", data: { dropped: 30 } });
});

test("a stream that is ended has the events so far, and no more", async () => {
  const { logs, feed, read } = createFixture();
  const events = read();
  await take(events, 1);

  logs[0].note(reloaded(1));
  feed.end();
  const fresh = read();

  expect(await take(events, 2)).toEqual([reloaded(1)]);
  expect(await take(fresh, 1)).toMatchObject([{ type: "stream.started" }]);
});

test("a reader that may read no more gets the reason", async () => {
  const { read } = createFixture();
  const events = read(() => Promise.reject(new Error("The session is over.")));
  await take(events, 1);

  await expect(events.next()).rejects.toThrow("The session is over.");
});

test("the number of readers is bounded, and one that leaves makes room", () => {
  const { leave, read } = createFixture();
  for (let reader = 0; reader < 20; reader += 1) read();

  expect(() => read()).toThrow("There are 20 readers of events already.");

  leave.abort();
  expect(() => read()).not.toThrow();
});
