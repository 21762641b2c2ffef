import { afterAll, beforeAll, expect, test } from "vitest";
import { startUpstreamProcess, type UpstreamProcess } from "../fake-upstream/upstream-process.mjs";
import { createRandom } from "../malformed/random.js";
import { startWatchedGateway, type WatchedGateway } from "../watched-gateway.js";
import { chooseDeparture, leave } from "./leaving-caller.js";

/** Some calls are answered soon, some late, some never, and some but for the end. */
const script = {
  always: {
    delayMs: [0, 30],
    faults: [
      { kind: "stall", percent: 25 },
      { kind: "stall", afterBytes: 0, percent: 15 },
      { kind: "stall", afterBytes: -1, percent: 15 },
      { kind: "drip", bytes: 100, everyMs: 3, percent: 5 },
    ],
  },
} as const;
const callers = 32;
/** How many connections to an upstream may be kept for the next call. */
const idleMax = 256;
/** How many a gateway may have more of its own at one time than at another. */
const slack = { timers: 10, emitters: 20 };
/** What belongs to a connection that is kept: its socket, and what watches over it. */
const emittersPerIdle = 4;

/** What probe.mjs tells. */
interface Snapshot {
  /** All that have not been collected, whether they keep the process alive or not. */
  readonly timers: number;
  readonly emitters: number;
  /** What keeps the process alive, and what it has open, by kind. */
  readonly active: Readonly<Record<string, number>>;
  readonly open: Readonly<Record<string, number>>;
}

let upstream: UpstreamProcess;
let gateway: WatchedGateway;

beforeAll(async () => {
  upstream = await startUpstreamProcess({ script });
  gateway = await startWatchedGateway(
    `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, targets: [{ upstream: fake, model: text }] }
  joined: { type: embedding, dimensions: 8, coalesce: { windowMs: 5 }, targets: [{ upstream: fake, model: joined }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }`,
    new URL("probe.mjs", import.meta.url).pathname,
  );
});
afterAll(async () => {
  await gateway.remove();
  await upstream.kill();
});

test("ten thousand callers that leave at any moment leave nothing behind", async () => {
  // A first few open what stays open: pools, caches, the threads that decode images.
  await depart(300);
  const before = await quietSnapshot();

  await depart(10_000);

  const after = await quietSnapshot();
  const { requests, abandoned } = await upstream.seen();
  console.log(
    `10,300 callers left; ${requests} calls went upstream, of which ${abandoned} were taken along.`,
  );
  expect(abandoned).toBeGreaterThan(100);
  // Connections that are kept for the next call are no leak, as long as they are no more than may be kept.
  expect(after.idle).toBeLessThanOrEqual(idleMax);
  expect(withoutIdle(after)).toEqual(withoutIdle(before));
  expect(after.timers - after.idle).toBeLessThanOrEqual(before.timers - before.idle + slack.timers);
  expect(after.emitters).toBeLessThanOrEqual(before.emitters + emittersPerIdle * after.idle + slack.emitters);
  expect(gateway.logged()).toEqual([]);
  // A call that nobody waits for would keep the gateway from stopping.
  expect(await gateway.stop()).toBe(0);
}, 180_000);

async function depart(count: number): Promise<void> {
  const random = createRandom();
  const port = Number(new URL(gateway.url).port);
  let left = count;
  const call = async () => {
    while (left > 0) {
      left -= 1;
      await leave(port, chooseDeparture(random));
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
}

/** What is there for a moment only: the admin API is made ready after the start, and the ledger closes a file. */
async function passing(): Promise<string[]> {
  const { active } = (await gateway.ask()) as Snapshot;
  return ["Timeout", "Immediate", "CloseReq", "FSReqPromise"].filter((name) => active[name] !== undefined);
}

/** What the gateway holds when nobody calls it any more and nothing is under way. */
async function quietSnapshot(): Promise<Snapshot & { readonly idle: number }> {
  const patience = { timeout: 20_000 };
  await expect.poll(async () => (await upstream.seen()).inFlight, patience).toBe(0);
  await expect.poll(targetsInFlight, patience).toEqual([0, 0, 0]);
  await expect.poll(gateway.spooled, patience).toEqual([]);
  // The ledger ships what it has, and then waits for nothing.
  await expect.poll(passing, patience).toEqual([]);
  const snapshot = (await gateway.ask()) as Snapshot;
  return { ...snapshot, idle: (await upstream.seen()).connections.open };
}

/** The numbers that must be the same before and after, whatever was kept for the next call. */
function withoutIdle({ active, open, idle }: Snapshot & { readonly idle: number }) {
  return { active, open: { ...open, socket: (open.socket ?? 0) - idle } };
}

async function targetsInFlight(): Promise<number[]> {
  const answer = await fetch(`${gateway.url}/readyz?verbose`, { headers: { connection: "close" } });
  const { targets } = (await answer.json()) as { targets: { in_flight: number }[] };
  return targets.map(({ in_flight }) => in_flight);
}
