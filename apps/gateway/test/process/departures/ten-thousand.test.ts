import { createRandom, type Random } from "@model-gateway/test-suite/random";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startUpstreamProcess, type UpstreamProcess } from "../../fake-upstream/upstream-process.mjs";
import { type BuiltGateway, startBuiltGateway } from "../../gateway/built.js";
import { errorsIn } from "../../gateway/log-errors.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { chooseDeparture, leave } from "./leaving-caller.js";

/** Some replies come soon, some late, some never, and some without their end. */
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
/** Number of connections to an upstream that may be kept for the next call. */
const idleMax = 256;
/** A gateway's counts may differ by this much between two idle moments. */
const slack = { timers: 10, emitters: 20 };
/** Emitters of a kept connection: its socket, and its watchers. */
const emittersPerIdle = 4;

/** The report of probe.mjs. */
interface Snapshot {
  /** All that have not been collected, whether they keep the process alive or not. */
  readonly timers: number;
  readonly emitters: number;
  /** Active resources of the process, by kind. */
  readonly active: Readonly<Record<string, number>>;
  readonly open: Readonly<Record<string, number>>;
}

let upstream: UpstreamProcess;
let gateway: BuiltGateway;

beforeAll(async () => {
  upstream = await startUpstreamProcess({ script });
  gateway = await startBuiltGateway(
    `
logLevel: error
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, targets: [{ upstream: fake, model: text }] }
  joined: { type: embedding, dimensions: 8, coalesce: { windowMs: 5 }, targets: [{ upstream: fake, model: joined }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }`,
    { preload: new URL("probe.mjs", import.meta.url).pathname },
  );
});
afterAll(async () => {
  await gateway.kill();
  await upstream.kill();
});

test("ten thousand callers that leave at any moment leave nothing behind", async () => {
  const random = createRandom();
  // The first few open lasting resources: pools, caches, the threads that decode images.
  await depart(300, random);
  await openReaders();
  await untilQuiet();
  const before = await takeSnapshot();

  await depart(10_000, random);

  await untilQuiet();
  let { requests, abandoned } = await upstream.seen();
  // On a busy machine, most leave before their call is sent.
  for (let patience = 2; abandoned <= 100 && patience <= 64; patience *= 2) {
    await depart(300, random, patience);
    await untilQuiet();
    ({ requests, abandoned } = await upstream.seen());
  }
  console.log(
    `At least 10,300 callers left; ${requests} calls went upstream, of which ${abandoned} were cancelled.`,
  );
  expect(abandoned).toBeGreaterThan(100);
  // A timer is cleared a little after its signal was collected, so it may take a few snapshots.
  let left = leftBehind(before, await takeSnapshot());
  for (let more = 0; more < 5 && left.length > 0; more += 1) left = leftBehind(before, await takeSnapshot());
  expect(left).toEqual([]);
  expect(errorsIn(gateway)).toEqual([]);
  // A call without a waiter would keep the gateway from stopping.
  expect(await gateway.stop()).toBe(0);
}, 1_200_000);

/** The database has a thread that writes and two that read. The second reader is opened when two reads come at once. */
async function openReaders(): Promise<void> {
  const read = () =>
    fetch(`${gateway.url}/admin/v1/requests`, { headers: { authorization: `Bearer ${testAdminKey}` } });
  const openThreads = async () => {
    await Promise.all(Array.from({ length: 8 }, async () => (await read()).arrayBuffer()));
    const { open } = (await gateway.ask("snapshot")) as Snapshot;
    return Object.entries(open).find(([name]) => name.endsWith("gateway.db"))?.[1];
  };
  await expect.poll(openThreads).toBe(3);
}

async function depart(count: number, random: Random, patience = 1): Promise<void> {
  const port = Number(new URL(gateway.url).port);
  let left = count;
  const call = async () => {
    while (left > 0) {
      left -= 1;
      await leave(port, chooseDeparture(random, patience));
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
}

/** Resolves when no call is in flight, and nothing of a caller is on the disk. */
async function untilQuiet(): Promise<void> {
  await expect.poll(async () => (await upstream.seen()).inFlight).toBe(0);
  await expect.poll(targetsInFlight).toEqual([0, 0, 0]);
  await expect.poll(gateway.spooled).toEqual([]);
}

/**
 * The gateway's resources while idle. Now and then it works: it checks its configuration, ships the ledger and closes a
 * file. A snapshot that shows such work is taken again.
 */
async function takeSnapshot(): Promise<Snapshot & { readonly idle: number }> {
  const workIn = (active: Snapshot["active"]) =>
    Object.keys(active).filter((name) => /^(Timeout|Immediate|CloseReq|FSReq.*)$/.test(name));
  for (;;) {
    await expect.poll(async () => workIn((await gateway.ask("active")) as Snapshot["active"])).toEqual([]);
    const snapshot = (await gateway.ask("snapshot")) as Snapshot;
    if (workIn(snapshot.active).length > 0) continue;
    return { ...snapshot, idle: (await upstream.seen()).connections.open };
  }
}

type Counted = Awaited<ReturnType<typeof takeSnapshot>>;

/** Resources that have increased, in words. Connections kept for the next call do not count as a leak. */
function leftBehind(before: Counted, after: Counted): string[] {
  const sockets = ({ open, idle }: Counted) => ({ ...open, socket: (open.socket ?? 0) - idle });
  const more = [
    ...increases("active", before.active, after.active),
    ...increases("open", sockets(before), sockets(after)),
  ];
  if (after.idle > idleMax) more.push(`${after.idle} connections are kept, and ${idleMax} may be`);
  const timers = after.timers - after.idle - (before.timers - before.idle);
  if (timers > slack.timers) more.push(`${timers} more timers`);
  const emitters = after.emitters - before.emitters - emittersPerIdle * after.idle;
  if (emitters > slack.emitters) more.push(`${emitters} more emitters`);
  return more;
}

function increases(kind: string, before: Snapshot["active"], after: Snapshot["active"]): string[] {
  return Object.entries(after)
    .filter(([name, count]) => count > (before[name] ?? 0))
    .map(([name, count]) => `${kind} ${name}: ${before[name] ?? 0}, then ${count}`);
}

async function targetsInFlight(): Promise<number[]> {
  const headers = { authorization: `Bearer ${testAdminKey}`, connection: "close" };
  const response = await fetch(`${gateway.url}/readyz?verbose`, { headers });
  const { targets } = (await response.json()) as { targets: { in_flight: number }[] };
  return targets.map(({ in_flight }) => in_flight);
}
