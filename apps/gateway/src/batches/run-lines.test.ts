import { setImmediate } from "node:timers/promises";
import { diskFull, GatewayError } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import type { DetachedRequest, DetachedResponse, RunDetached } from "../execution/detached-request.js";
import type { Batch, BatchEndpoint } from "./batch.js";
import type { ImageLinks } from "./image-links.js";
import { requestIdOf } from "./line-results.js";
import { type LineRunnerOptions, type RunningLine, runLines } from "./run-lines.js";

const id = `batch_${"0".repeat(24)}`;
const batchOf = (endpoint: BatchEndpoint) =>
  ({ id, keyId: "key_a", endpoint, origin: "http://gateway.example" }) as Batch;
const embeddings = batchOf("/v1/embeddings");
const images = batchOf("/v1/images/generations");
const lineOf = (line: number, changes: Partial<RunningLine> = {}): RunningLine => ({
  line,
  failures: 0,
  customId: `row-${line}`,
  model: "m",
  body: { model: "m" },
  inputs: 1,
  bytes: 10,
  estimatedBytes: 100,
  ...changes,
});
const linesOf = (count: number) => Array.from({ length: count }, (_, at) => lineOf(at + 1));
const done: DetachedResponse = { status: 200, headers: {}, body: Buffer.from("{}") };
const busy = new GatewayError("rate_limit_exceeded", "Later.", { retryAfterMs: 2000 });
const overloaded = new GatewayError("upstream_unavailable", "Busy.", { upstream: "u", upstreamStatus: 503 });
const refusedWith = (error: GatewayError, { runsAgain }: DetachedRequest) => {
  const again = runsAgain?.(error);
  return { again, response: { status: 429, headers: {}, body: Buffer.from("{}"), error } };
};

function run(
  batch: Batch,
  lines: readonly RunningLine[],
  one: RunDetached,
  changes: Partial<LineRunnerOptions> = {},
) {
  return runLines(batch, lines, {
    run: one,
    links: {} as ImageLinks,
    clock: { now: () => 0, wait: async () => undefined },
    signal: new AbortController().signal,
    onEnded: () => undefined,
    ...changes,
  });
}

test("a line runs as a bulk request of its key, under the id of its row", async () => {
  const requests: DetachedRequest[] = [];

  await run(embeddings, [lineOf(7)], async (request) => {
    requests.push(request);
    return done;
  });

  expect(requests).toEqual([
    {
      operation: "createEmbedding",
      keyId: "key_a",
      requestId: requestIdOf(id, 7),
      body: { model: "m" },
      bytes: 10,
      headers: { "x-gateway-priority": "bulk" },
      origin: "http://gateway.example",
      batchId: id,
      runsAgain: expect.any(Function),
    },
  ]);
});

test("an image runs with a key that buys it once, and for its bytes", async () => {
  const requests: DetachedRequest[] = [];

  await run(images, [lineOf(7, { body: { response_format: "b64_json" } }), lineOf(8)], async (request) => {
    requests.push(request);
    return done;
  });

  expect(requests).toMatchObject([
    { operation: "createImage", headers: { "idempotency-key": `${id}-7` } },
    { body: { model: "m", response_format: "b64_json" }, headers: { "idempotency-key": `${id}-8` } },
  ]);
});

test("where a limit lets three lines pass, the others follow by threes until none passes", async () => {
  const groups: number[][] = [[]];
  let left = 3;
  const ran = await run(embeddings, linesOf(8), async (request) => {
    groups.at(-1)?.push(1);
    if (left > 0) {
      left -= 1;
      return done;
    }
    return refusedWith(busy, request).response;
  });

  // The second group is of three, and finds that nothing is left.
  expect(groups.flat()).toHaveLength(8 + 3);
  expect(ran.filter(({ outcome }) => outcome.kind === "completed").map(({ line }) => line.line)).toEqual([
    1, 2, 3,
  ]);
});

test("once a group has passed, the next is twice as large", async () => {
  const groups: number[] = [];
  let running = 0;
  let left = 1;
  await run(embeddings, linesOf(8), async (request) => {
    if (running === 0) groups.push(0);
    groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1;
    running += 1;
    const passes = groups.length > 1 || left > 0;
    left -= 1;
    await setImmediate();
    running -= 1;
    return passes ? done : refusedWith(busy, request).response;
  });

  expect(groups).toEqual([8, 1, 2, 4]);
});

test("a key that works no longer ends the run, and the error is the outcome", async () => {
  const refused = new GatewayError("invalid_api_key", "The key was revoked.");
  let runs = 0;

  const ran = await run(embeddings, linesOf(3), async (request) => {
    runs += 1;
    return runs === 2
      ? refusedWith(refused, request).response
      : runs === 3
        ? refusedWith(busy, request).response
        : done;
  });

  expect(ran.map(({ outcome }) => outcome.kind)).toEqual(["completed", "key refused", "again"]);
  expect(runs).toBe(3);
});

test("the eighth failure of an upstream is the end of a line", async () => {
  const again: unknown[] = [];
  const failing: RunDetached = async (request) => {
    const refused = refusedWith(overloaded, request);
    again.push(refused.again);
    return refused.response;
  };

  const [seventh] = await run(embeddings, [lineOf(1, { failures: 6 })], failing);
  const [eighth] = await run(embeddings, [lineOf(1, { failures: 7 })], failing);

  expect([seventh?.outcome, eighth?.outcome]).toEqual([
    { kind: "again", counts: true, afterMs: 1000 },
    { kind: "failed" },
  ]);
  expect(again).toEqual([true, false]);
});

test("a limit is not a failure: it does not end a line that has failed seven times", async () => {
  const [limited] = await run(
    embeddings,
    [lineOf(1, { failures: 7 })],
    async (request) => refusedWith(busy, request).response,
  );

  expect(limited?.outcome).toEqual({ kind: "again", counts: false, afterMs: 2000 });
});

test("a key that works no longer is not a failure of a line that has failed seven times", async () => {
  const refused = new GatewayError("invalid_api_key", "The key was revoked.");

  const [ran] = await run(
    embeddings,
    [lineOf(1, { failures: 7 })],
    async (request) => refusedWith(refused, request).response,
  );

  expect(ran?.outcome).toEqual({ kind: "key refused", message: "The key was revoked." });
});

test("lines that have a result are told at once, and no others", async () => {
  const told: number[] = [];

  await run(
    embeddings,
    linesOf(3),
    async (request) =>
      request.requestId === requestIdOf(id, 2) ? refusedWith(overloaded, request).response : done,
    { onEnded: ({ line }) => told.push(line.line) },
  );

  expect(told).toEqual([1, 3]);
});

const asked = lineOf(1, { body: { response_format: "url" } });
const painted = { ...done, body: Buffer.from('{"data":[{"b64_json":"AAAA"}]}') };
const linksTo = (create: ImageLinks["files"]["create"]): ImageLinks => ({
  files: { create, read: () => Promise.reject(new Error("unused")) },
  signed: { sign: (file) => ({ path: `/${file}` }) },
  ttlMs: 1,
});

test("an image that was bought waits for room, and comes back as not stored if that does not come", async () => {
  let now = 0;
  let attempts = 0;
  const links = linksTo(() => {
    attempts += 1;
    throw diskFull();
  });
  const clock = {
    now: () => now,
    wait: async (ms: number) => {
      now += ms;
    },
  };

  const [ran] = await run(images, [asked], async () => painted, { links, clock });

  expect(ran).toMatchObject({
    outcome: { kind: "again", counts: false, afterMs: 60_000 },
    isUnstored: true,
    linkedBytes: 0,
  });
  // Every five seconds, for ten minutes.
  expect([attempts, now]).toEqual([121, 600_000]);
});

test("a stop does not wait for room", async () => {
  let attempts = 0;
  const links = linksTo(() => {
    attempts += 1;
    throw diskFull();
  });

  const [ran] = await run(images, [asked], async () => painted, { links, signal: AbortSignal.abort() });

  expect([ran?.isUnstored, attempts]).toEqual([true, 1]);
});

test("another fault while an image is stored is an error", async () => {
  const links = linksTo(() => Promise.reject(new TypeError("a fault")));

  await expect(run(images, [asked], async () => painted, { links })).rejects.toThrow("a fault");
});

test("an image that failed has no links", async () => {
  const links = linksTo(() => Promise.reject(new Error("unused")));

  const [ran] = await run(
    images,
    [asked],
    async (request) => {
      const { response } = refusedWith(new GatewayError("invalid_value", "No."), request);
      // Whatever an error says, it is not looked through for images.
      return { ...response, body: painted.body };
    },
    { links },
  );

  expect(ran).toMatchObject({ outcome: { kind: "failed" }, linkedBytes: 0 });
});
