import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { GatewayError } from "../../errors.js";
import {
  type CreateResponse,
  createIdempotency,
  type Idempotency,
  type IdempotentRequest,
} from "./idempotency.js";
import type { ResponseStore, StoredEntry, StoredResponse } from "./response-store.js";

const responseOf = (created: number): StoredResponse => ({
  images: { created, data: [{ b64_json: "AAAA" }] },
});
const requestOf = (claim: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  caller: "alice",
  operation: "createImage",
  key: "order-1",
  fingerprint: "cat",
  signal: new AbortController().signal,
  ...claim,
});
const conflict = new GatewayError(
  "idempotency_conflict",
  "The Idempotency-Key 'order-1' was used with another request.",
);
/** sha256 of '["alice","createImage","order-1"]' */
const aliceId = "196e89a2f75de94f245d2cb8bbfdd1dfc90e26941882b96c7f3fa24fb34c5a32";

function createStore(): ResponseStore & { readonly entries: Map<string, StoredEntry> } {
  const entries = new Map<string, StoredEntry>();
  const claimed = new Set<string>();
  return {
    entries,
    read: async (id) => entries.get(id),
    lock: async (id) => {
      if (claimed.has(id)) expect.fail("One process must not be in its own way.");
      claimed.add(id);
      return { kind: "mine", lease: { release: async () => void claimed.delete(id) } };
    },
    write: async (id, entry) => void entries.set(id, entry),
    sweep: async () => undefined,
    close: async () => undefined,
  };
}

interface MakeCall {
  readonly signal: AbortSignal;
  readonly response: (response: StoredResponse) => void;
  readonly fail: (failure: unknown) => void;
}

/** A maker that responses when it is told to. */
function createMaker(): { make: CreateResponse; calls: MakeCall[]; called: () => Promise<MakeCall> } {
  const calls: MakeCall[] = [];
  let onCall: ((call: MakeCall) => void) | undefined;
  return {
    calls,
    make: (signal) =>
      new Promise((response, fail) => {
        const call = { signal, response, fail };
        calls.push(call);
        onCall?.(call);
      }),
    called: () => new Promise((resolve) => (onCall = resolve)),
  };
}

function setUp(store: Partial<ResponseStore> = {}) {
  const failures: unknown[] = [];
  const kept = createStore();
  const idempotency = createIdempotency(
    { ...kept, ...store },
    { onFailure: (failure) => failures.push(failure) },
  );
  return { idempotency, failures, entries: kept.entries, ...createMaker() };
}

const responseAtOnce = (idempotency: Idempotency, claim: IdempotentRequest, created: number) =>
  idempotency.run(claim, async () => responseOf(created));

test("a stored response is replayed and nothing is made", async () => {
  const { idempotency, entries } = setUp();

  const first = await responseAtOnce(idempotency, requestOf(), 1);
  const second = await responseAtOnce(idempotency, requestOf(), 2);

  expect(first).toEqual({ response: responseOf(1), replayed: false });
  expect(second).toEqual({ response: responseOf(1), replayed: true });
  expect([...entries]).toEqual([[aliceId, { fingerprint: "cat", response: responseOf(1) }]]);
});

test("the events of a stream are replayed as well", async () => {
  const { idempotency } = setUp();
  const events: StoredResponse = { events: [] };

  await idempotency.run(requestOf(), async () => events);
  const second = await responseAtOnce(idempotency, requestOf(), 2);

  expect(second).toEqual({ response: events, replayed: true });
});

test("callers, operations and keys do not meet", async () => {
  const { idempotency } = setUp();
  const claims = [
    requestOf(),
    requestOf({ caller: "bob" }),
    requestOf({ operation: "createImageEdit" }),
    requestOf({ key: "order-2" }),
  ];

  const responses = await Promise.all(
    claims.map((claim, index) => responseAtOnce(idempotency, claim, index)),
  );

  expect(responses).toEqual(
    claims.map((_claim, index) => ({ response: responseOf(index), replayed: false })),
  );
});

test("while the first is being made, the second waits for it", async () => {
  const { idempotency, make, calls, called } = setUp();

  const first = idempotency.run(requestOf(), make);
  const call = await called();
  const second = idempotency.run(requestOf(), make);
  call.response(responseOf(1));

  expect(await first).toEqual({ response: responseOf(1), replayed: false });
  expect(await second).toEqual({ response: responseOf(1), replayed: true });
  expect(calls).toHaveLength(1);
});

test("another request under a key that is stored is a conflict", async () => {
  const { idempotency } = setUp();

  await responseAtOnce(idempotency, requestOf(), 1);
  const other = responseAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2);

  await expect(other).rejects.toEqual(conflict);
});

test("another request under a key that is running is a conflict, and the first goes on", async () => {
  const { idempotency, make, calls, called } = setUp();

  const first = idempotency.run(requestOf(), make);
  const call = await called();
  const other = idempotency.run(requestOf({ fingerprint: "dog" }), make);
  await expect(other).rejects.toEqual(conflict);
  expect(call.signal.aborted).toBe(false);
  call.response(responseOf(1));

  expect(await first).toEqual({ response: responseOf(1), replayed: false });
  expect(calls).toHaveLength(1);
});

test("who repeats a stored request is not refused for another that came a moment before", async () => {
  const { idempotency } = setUp();
  await responseAtOnce(idempotency, requestOf(), 1);

  const [other, same] = await Promise.allSettled([
    responseAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2),
    responseAtOnce(idempotency, requestOf(), 3),
  ]);

  expect(other).toEqual({ status: "rejected", reason: conflict });
  expect(same).toEqual({ status: "fulfilled", value: { response: responseOf(1), replayed: true } });
});

test("a failure is told to all who wait and is not stored: the next may try again", async () => {
  const { idempotency, make, called, entries } = setUp();
  const failure = new GatewayError("upstream_error", "no image");

  const both = Promise.allSettled([idempotency.run(requestOf(), make), idempotency.run(requestOf(), make)]);
  (await called()).fail(failure);

  expect(await both).toEqual([
    { status: "rejected", reason: failure },
    { status: "rejected", reason: failure },
  ]);
  expect(entries.size).toBe(0);
  expect(await responseAtOnce(idempotency, requestOf(), 2)).toEqual({
    response: responseOf(2),
    replayed: false,
  });
});

test("after a failure even another request may use the key", async () => {
  const { idempotency } = setUp();

  const failed = idempotency.run(requestOf(), () => Promise.reject(new Error("no image")));
  await expect(failed).rejects.toThrow("no image");

  const other = await responseAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2);
  expect(other).toEqual({ response: responseOf(2), replayed: false });
});

test("a maker that throws before it promises frees the key", async () => {
  const { idempotency } = setUp();

  const failed = idempotency.run(requestOf(), () => {
    throw new Error("at once");
  });
  await expect(failed).rejects.toThrow("at once");

  expect(await responseAtOnce(idempotency, requestOf(), 2)).toEqual({
    response: responseOf(2),
    replayed: false,
  });
});

test("the first may leave while others wait: the work goes on for them", async () => {
  const { idempotency, make, called } = setUp();
  const leaving = new AbortController();

  const first = idempotency.run(requestOf({ signal: leaving.signal }), make);
  const call = await called();
  const second = idempotency.run(requestOf(), make);
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  expect(call.signal.aborted).toBe(false);
  call.response(responseOf(1));

  expect(await second).toEqual({ response: responseOf(1), replayed: true });
});

test("when the last leaves, the work is given up and the key is free", async () => {
  const { idempotency, make, called, entries } = setUp();
  const [one, two] = [new AbortController(), new AbortController()];

  const first = idempotency.run(requestOf({ signal: one.signal }), make);
  const call = await called();
  const second = idempotency.run(requestOf({ signal: two.signal }), make);
  one.abort(new Error("one left"));
  two.abort(new Error("two left"));
  await expect(first).rejects.toThrow("one left");
  await expect(second).rejects.toThrow("two left");

  expect(call.signal.aborted).toBe(true);
  const other = await responseAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2);
  expect(other).toEqual({ response: responseOf(2), replayed: false });
  // What was given up ends at last; the response that took its place stays.
  call.response(responseOf(1));
  await expect(responseAtOnce(idempotency, requestOf(), 3)).rejects.toEqual(conflict);
  expect(entries.get(aliceId)).toEqual({ fingerprint: "dog", response: responseOf(2) });
});

test("a response that came although everyone had left is paid for, and is kept", async () => {
  const { idempotency, make, called } = setUp();
  const leaving = new AbortController();

  const first = idempotency.run(requestOf({ signal: leaving.signal }), make);
  const call = await called();
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  call.response(responseOf(1));
  await setImmediate();

  expect(await responseAtOnce(idempotency, requestOf(), 2)).toEqual({
    response: responseOf(1),
    replayed: true,
  });
});

test("who has left before it begins makes nothing", async () => {
  const { idempotency, make, calls } = setUp();

  const gone = idempotency.run(requestOf({ signal: AbortSignal.abort(new Error("left")) }), make);

  await expect(gone).rejects.toThrow("left");
  expect(calls).toEqual([]);
});

test("who leaves during the lookup makes nothing, and the next in line makes it", async () => {
  let found: (entry: undefined) => void = () => undefined;
  const { idempotency } = setUp({ read: () => new Promise((resolve) => (found = resolve)) });
  const leaving = new AbortController();

  const first = responseAtOnce(idempotency, requestOf({ signal: leaving.signal }), 1);
  const second = responseAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2);
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  found(undefined);

  expect(await second).toEqual({ response: responseOf(2), replayed: false });
});

test("the response is stored before it is handed out, and is written to the end when everyone leaves", async () => {
  const happened: string[] = [];
  let written: () => void = () => undefined;
  let onWrite: () => void = () => undefined;
  const writing = new Promise<void>((resolve) => (onWrite = resolve));
  const { idempotency } = setUp({
    write: () => {
      onWrite();
      return new Promise((resolve) => (written = resolve));
    },
  });
  const leaving = new AbortController();

  const first = responseAtOnce(idempotency, requestOf({ signal: leaving.signal }), 1);
  const second = responseAtOnce(idempotency, requestOf(), 2).then((result) => {
    happened.push("handed out");
    return result;
  });
  await writing;
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  happened.push("written");
  written();

  expect(await second).toEqual({ response: responseOf(1), replayed: true });
  expect(happened).toEqual(["written", "handed out"]);
});

test("who comes back while the response is written, after all had left, gets it", async () => {
  let written: () => void = () => undefined;
  let onWrite: () => void = () => undefined;
  const writing = new Promise<void>((resolve) => (onWrite = resolve));
  const { idempotency } = setUp({
    write: () => {
      onWrite();
      return new Promise((resolve) => (written = resolve));
    },
  });
  const leaving = new AbortController();

  const first = responseAtOnce(idempotency, requestOf({ signal: leaving.signal }), 1);
  await writing;
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  const second = responseAtOnce(idempotency, requestOf(), 2);
  written();

  expect(await second).toEqual({ response: responseOf(1), replayed: true });
});

test("a store that fails is reported and fails no request", async () => {
  const [unread, unwritten] = [new Error("unread"), new Error("unwritten")];
  const { idempotency, failures } = setUp({
    read: () => Promise.reject(unread),
    write: () => Promise.reject(unwritten),
  });

  const first = await responseAtOnce(idempotency, requestOf(), 1);
  const second = await responseAtOnce(idempotency, requestOf(), 2);

  expect([first, second]).toEqual([
    { response: responseOf(1), replayed: false },
    { response: responseOf(2), replayed: false },
  ]);
  expect(failures).toEqual([unread, unwritten, unread, unwritten]);
});

const refuse = (failure: unknown) => expect.fail(String(failure));

/** A store whose every step waits until the scheduler lets it go on. */
function createScheduledStore(scheduler: fc.Scheduler): ResponseStore {
  const store = createStore();
  return {
    ...store,
    read: scheduler.scheduleFunction(store.read),
    lock: scheduler.scheduleFunction(async (id: string, fingerprint: string) => {
      const claim = await store.lock(id, fingerprint);
      if (claim.kind !== "mine") return claim;
      return { ...claim, lease: { release: scheduler.scheduleFunction(claim.lease.release) } };
    }),
    write: scheduler.scheduleFunction(store.write),
  };
}

test("of 50 requests at once one makes the response, in whatever order things happen", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const idempotency = createIdempotency(createScheduledStore(scheduler), { onFailure: refuse });
      let madeCount = 0;
      const make = () => {
        madeCount += 1;
        return scheduler.schedule(Promise.resolve(responseOf(madeCount)));
      };

      const runs = Array.from({ length: 50 }, async () => {
        await scheduler.schedule(Promise.resolve());
        return idempotency.run(requestOf(), make);
      });
      await scheduler.waitIdle();
      const results = await Promise.all(runs);

      expect(madeCount).toBe(1);
      expect(results.filter(({ replayed }) => !replayed)).toEqual([
        { response: responseOf(1), replayed: false },
      ]);
      expect(new Set(results.map(({ response }) => response))).toEqual(new Set([responseOf(1)]));
    }),
    { numRuns: 50 },
  );
});

test("whoever leaves or asks for something else, those who stay share one response or are refused", async () => {
  const visitor = fc.record({ fingerprint: fc.constantFrom("cat", "dog"), leaves: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(visitor, { minLength: 50, maxLength: 50 }),
      async (scheduler, visitors) => {
        const idempotency = createIdempotency(createScheduledStore(scheduler), { onFailure: refuse });
        const wanted = new Set<AbortSignal>();
        let madeCount = 0;
        const make: CreateResponse = async (signal) => {
          wanted.add(signal);
          expect([...wanted].filter(({ aborted }) => !aborted)).toHaveLength(1);
          const response = await scheduler.schedule(Promise.resolve(responseOf(++madeCount)));
          wanted.delete(signal);
          return response;
        };

        const runs = visitors.map(async ({ fingerprint, leaves }) => {
          await scheduler.schedule(Promise.resolve());
          const leaving = new AbortController();
          if (leaves) void scheduler.schedule(Promise.resolve()).then(() => leaving.abort(new Error("left")));
          const { response } = await idempotency.run(
            requestOf({ fingerprint, signal: leaving.signal }),
            make,
          );
          return { fingerprint, response };
        });
        const settled = Promise.allSettled(runs);
        await scheduler.waitIdle();
        const results = await settled;

        const responseed = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
        expect(new Set(responseed.map((value) => JSON.stringify(value))).size).toBeLessThanOrEqual(1);
        for (const [index, result] of results.entries()) {
          if (result.status === "fulfilled") continue;
          if (visitors[index]?.leaves) expect([new Error("left"), conflict]).toContainEqual(result.reason);
          else expect(result.reason).toEqual(conflict);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("whoever has a response made is told of it to its end, also when it leaves before that begins", async () => {
  let allow: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => {
    allow = resolve;
  });
  const lease = { release: async () => undefined };
  const { idempotency, make, called } = setUp({
    lock: async () => {
      await allowed;
      return { kind: "mine", lease };
    },
  });
  const departure = new AbortController();
  const told: Promise<unknown>[][] = [[], []];
  const [first, second] = [departure.signal, new AbortController().signal].map((signal, index) =>
    idempotency.run(requestOf({ signal, onStarted: (outcome) => told[index]?.push(outcome) }), make),
  );
  await setImmediate();

  departure.abort(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  const calling = called();
  allow();
  (await calling).response(responseOf(1));

  expect(await second).toEqual({ response: responseOf(1), replayed: true });
  expect([told[0]?.length, told[1]?.length]).toEqual([1, 0]);
  expect(await told[0]?.[0]).toEqual({ response: responseOf(1), replayed: false });
});
