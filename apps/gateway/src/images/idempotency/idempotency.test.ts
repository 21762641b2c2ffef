import { setImmediate } from "node:timers/promises";
import { RequestCancelledError } from "@model-gateway/domain/call-context";
import { GatewayError } from "@model-gateway/domain/errors";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CreateResponse, Idempotency, type IdempotentRequest } from "./idempotency.js";
import type { ResponseStore, StoredEntry, StoredResponse } from "./response-store.js";

const responseOf = (created: number): StoredResponse => ({
  images: { created, data: [{ b64_json: Buffer.from("AAAA") }] },
  credentials: "none",
});
const requestOf = (changes: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  caller: "alice",
  operation: "createImage",
  key: "order-1",
  fingerprint: "cat",
  signal: new AbortController().signal,
  ...changes,
});
const conflict = new GatewayError(
  "idempotency_conflict",
  "The Idempotency-Key 'order-1' was used with another request.",
);
/** sha256 of '["alice","createImage","order-1"]' */
const aliceId = "2bd806c97f0e00af196e89a2f75de94f245d2cb8bbfdd1dfc90e26941882b96c";

function createStore(): ResponseStore & { readonly entries: Map<string, StoredEntry> } {
  const entries = new Map<string, StoredEntry>();
  const locked = new Set<string>();
  const lost = new Set<string>();
  return {
    entries,
    read: async (id) => entries.get(id),
    lock: async (id) => {
      if (lost.has(id)) return { kind: "lost" };
      if (locked.has(id)) expect.fail("A process must not wait for its own lock.");
      locked.add(id);
      return {
        kind: "acquired",
        lease: {
          release: async () => void locked.delete(id),
          markLost: async () => void lost.add(id),
        },
      };
    },
    write: async (id, entry) => void entries.set(id, entry),
    sweep: async () => undefined,
    close: async () => undefined,
  };
}

interface CreateCall {
  readonly signal: AbortSignal;
  /** An upstream is called. */
  readonly send: () => void;
  readonly succeed: (response: StoredResponse) => void;
  readonly fail: (failure: unknown) => void;
}

/** A `create` whose calls succeed or fail when the test says so. */
function createControlled(): {
  create: CreateResponse;
  calls: CreateCall[];
  called: () => Promise<CreateCall>;
} {
  const calls: CreateCall[] = [];
  let onCall: ((call: CreateCall) => void) | undefined;
  return {
    calls,
    create: (signal, send) =>
      new Promise((succeed, fail) => {
        const call = { signal, send, succeed, fail };
        calls.push(call);
        onCall?.(call);
      }),
    called: () => new Promise((resolve) => (onCall = resolve)),
  };
}

function setUp(store: Partial<ResponseStore> = {}, orphansMax?: number) {
  const failures: unknown[] = [];
  const memory = createStore();
  const idempotency = new Idempotency(
    { ...memory, ...store },
    { onFailure: (failure) => failures.push(failure), ...(orphansMax !== undefined && { orphansMax }) },
  );
  return { idempotency, failures, entries: memory.entries, ...createControlled() };
}

const runAtOnce = (idempotency: Idempotency, request: IdempotentRequest, created: number) =>
  idempotency.run(request, async () => responseOf(created));

test("a stored response is replayed and not created again", async () => {
  const { idempotency, entries } = setUp();

  const first = await runAtOnce(idempotency, requestOf(), 1);
  const second = await runAtOnce(idempotency, requestOf(), 2);

  expect(first).toEqual({ response: responseOf(1), replayed: false });
  expect(second).toEqual({ response: responseOf(1), replayed: true });
  expect([...entries]).toEqual([[aliceId, { fingerprint: "cat", response: responseOf(1) }]]);
});

test("the events of a stream are replayed as well", async () => {
  const { idempotency } = setUp();
  const events: StoredResponse = { events: [], credentials: "none" };

  await idempotency.run(requestOf(), async () => events);
  const second = await runAtOnce(idempotency, requestOf(), 2);

  expect(second).toEqual({ response: events, replayed: true });
});

test("a key belongs to one caller and one operation", async () => {
  const { idempotency } = setUp();
  const requests = [
    requestOf(),
    requestOf({ caller: "bob" }),
    requestOf({ operation: "createImageEdit" }),
    requestOf({ key: "order-2" }),
  ];

  const responses = await Promise.all(
    requests.map((request, index) => runAtOnce(idempotency, request, index)),
  );

  expect(responses).toEqual(
    requests.map((_request, index) => ({ response: responseOf(index), replayed: false })),
  );
});

test("a second request waits for the response that the first creates", async () => {
  const { idempotency, create, calls, called } = setUp();

  const first = idempotency.run(requestOf(), create);
  const call = await called();
  const second = idempotency.run(requestOf(), create);
  call.succeed(responseOf(1));

  expect(await first).toEqual({ response: responseOf(1), replayed: false });
  expect(await second).toEqual({ response: responseOf(1), replayed: true });
  expect(calls).toHaveLength(1);
});

test("another request under the key of a stored response is a conflict", async () => {
  const { idempotency } = setUp();

  await runAtOnce(idempotency, requestOf(), 1);
  const other = runAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2);

  await expect(other).rejects.toEqual(conflict);
});

test("another request under a key in flight is a conflict, and the first goes on", async () => {
  const { idempotency, create, calls, called } = setUp();

  const first = idempotency.run(requestOf(), create);
  const call = await called();
  const other = idempotency.run(requestOf({ fingerprint: "dog" }), create);
  await expect(other).rejects.toEqual(conflict);
  expect(call.signal.aborted).toBe(false);
  call.succeed(responseOf(1));

  expect(await first).toEqual({ response: responseOf(1), replayed: false });
  expect(calls).toHaveLength(1);
});

test("a repeated request is replayed even if a conflicting one arrived just before it", async () => {
  const { idempotency } = setUp();
  await runAtOnce(idempotency, requestOf(), 1);

  const [other, same] = await Promise.allSettled([
    runAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2),
    runAtOnce(idempotency, requestOf(), 3),
  ]);

  expect(other).toEqual({ status: "rejected", reason: conflict });
  expect(same).toEqual({ status: "fulfilled", value: { response: responseOf(1), replayed: true } });
});

test("a failure rejects every waiter and is not stored, so the next request tries again", async () => {
  const { idempotency, create, called, entries } = setUp();
  const failure = new GatewayError("upstream_error", "no image");

  const both = Promise.allSettled([
    idempotency.run(requestOf(), create),
    idempotency.run(requestOf(), create),
  ]);
  (await called()).fail(failure);

  expect(await both).toEqual([
    { status: "rejected", reason: failure },
    { status: "rejected", reason: failure },
  ]);
  expect(entries.size).toBe(0);
  expect(await runAtOnce(idempotency, requestOf(), 2)).toEqual({
    response: responseOf(2),
    replayed: false,
  });
});

test("after a failure the key is free for another request", async () => {
  const { idempotency } = setUp();

  const failed = idempotency.run(requestOf(), () => Promise.reject(new Error("no image")));
  await expect(failed).rejects.toThrow("no image");

  const other = await runAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2);
  expect(other).toEqual({ response: responseOf(2), replayed: false });
});

test("a create function that throws synchronously frees the key", async () => {
  const { idempotency } = setUp();

  const failed = idempotency.run(requestOf(), () => {
    throw new Error("at once");
  });
  await expect(failed).rejects.toThrow("at once");

  expect(await runAtOnce(idempotency, requestOf(), 2)).toEqual({
    response: responseOf(2),
    replayed: false,
  });
});

test("the creation goes on when the first caller leaves and others wait", async () => {
  const { idempotency, create, called } = setUp();
  const leaving = new AbortController();

  const first = idempotency.run(requestOf({ signal: leaving.signal }), create);
  const call = await called();
  const second = idempotency.run(requestOf(), create);
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  expect(call.signal.aborted).toBe(false);
  call.succeed(responseOf(1));

  expect(await second).toEqual({ response: responseOf(1), replayed: true });
});

test("when the last caller leaves before an upstream is called, the creation is cancelled and the key is free", async () => {
  const { idempotency, create, called, entries } = setUp();
  const [one, two] = [new AbortController(), new AbortController()];

  const first = idempotency.run(requestOf({ signal: one.signal }), create);
  const call = await called();
  const second = idempotency.run(requestOf({ signal: two.signal }), create);
  one.abort(new Error("one left"));
  two.abort(new Error("two left"));
  await expect(first).rejects.toThrow("one left");
  await expect(second).rejects.toThrow("two left");

  expect(call.signal.aborted).toBe(true);
  const other = await runAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2);
  expect(other).toEqual({ response: responseOf(2), replayed: false });
  // The cancelled creation succeeds after all; the response that replaced it stays.
  call.succeed(responseOf(1));
  await expect(runAtOnce(idempotency, requestOf(), 3)).rejects.toEqual(conflict);
  expect(entries.get(aliceId)).toEqual({ fingerprint: "dog", response: responseOf(2) });
});

test("a response that arrives after every caller has left is paid for, and is stored", async () => {
  const { idempotency, create, called } = setUp();
  const leaving = new AbortController();

  const first = idempotency.run(requestOf({ signal: leaving.signal }), create);
  const call = await called();
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  call.succeed(responseOf(1));
  await setImmediate();

  expect(await runAtOnce(idempotency, requestOf(), 2)).toEqual({
    response: responseOf(1),
    replayed: true,
  });
});

const unknownOutcome = { code: "idempotency_outcome_unknown", status: 409 };

/** Begins a creation that has called its upstream, and lets its caller leave. */
async function abandon(
  { idempotency, create, called }: Pick<ReturnType<typeof setUp>, "idempotency" | "create" | "called">,
  request: Partial<IdempotentRequest> = {},
  reason: Error = new Error("left"),
): Promise<CreateCall> {
  const leaving = new AbortController();
  const calling = called();
  const run = idempotency.run(requestOf({ ...request, signal: leaving.signal }), create);
  const call = await calling;
  call.send();
  leaving.abort(reason);
  await expect(run).rejects.toBe(reason);
  return call;
}

test("a call that was sent goes on when its caller leaves, and the next request waits for its response", async () => {
  const fixture = setUp();

  const call = await abandon(fixture);
  const second = fixture.idempotency.run(requestOf(), fixture.create);
  await setImmediate();
  expect(call.signal.aborted).toBe(false);
  call.succeed(responseOf(1));

  expect(await second).toEqual({ response: responseOf(1), replayed: true });
  expect(fixture.calls).toHaveLength(1);
});

test("a call goes on when the one that came back for it leaves as well, and keeps its only place", async () => {
  const fixture = setUp({}, 2);
  const call = await abandon(fixture);
  const leaving = new AbortController();

  const second = fixture.idempotency.run(requestOf({ signal: leaving.signal }), fixture.create);
  leaving.abort(new Error("left again"));
  await expect(second).rejects.toThrow("left again");
  expect(call.signal.aborted).toBe(false);
  call.succeed(responseOf(1));

  expect(await runAtOnce(fixture.idempotency, requestOf(), 2)).toEqual({
    response: responseOf(1),
    replayed: true,
  });
});

test("a caller has a share of the calls that go on; one beyond it is cancelled, and its outcome is unknown", async () => {
  const fixture = setUp({}, 4);
  const calls = [];
  for (const key of ["one", "two", "three"]) calls.push(await abandon(fixture, { key }));
  const modest = await abandon(fixture, { caller: "bob", key: "one" });

  expect([...calls, modest].map(({ signal }) => signal.aborted)).toEqual([false, false, true, false]);
  const retried = fixture.idempotency.run(requestOf({ key: "three" }), () => expect.fail("bought again"));
  await expect(retried).rejects.toMatchObject(unknownOutcome);
  // A place is free again when its call has ended, in either way.
  calls[0]?.succeed(responseOf(1));
  calls[1]?.fail(new Error("cut off"));
  await setImmediate();
  const later = await abandon(fixture, { key: "four" });
  expect(later.signal.aborted).toBe(false);
});

test.each([
  ["may have been billed", new GatewayError("upstream_error", "cut off"), unknownOutcome],
  ["is not an error of the gateway's", new Error("odd"), unknownOutcome],
])("a failure that nobody was told and that %s makes the outcome unknown", async (_, failure, refusal) => {
  const fixture = setUp();

  (await abandon(fixture)).fail(failure);
  await setImmediate();

  const retried = fixture.idempotency.run(requestOf(), () => expect.fail("bought again"));
  await expect(retried).rejects.toMatchObject(refusal);
});

test("a failure that certainly bought nothing frees the key, and so does one that another caller was told", async () => {
  const fixture = setUp();

  (await abandon(fixture)).fail(new GatewayError("gateway_overloaded", "full", { nothingBilled: true }));
  await setImmediate();
  expect((await runAtOnce(fixture.idempotency, requestOf(), 2)).replayed).toBe(false);

  const call = await abandon(fixture, { key: "other" });
  const told = fixture.idempotency.run(requestOf({ key: "other" }), fixture.create);
  await setImmediate();
  call.fail(new Error("cut off"));
  await expect(told).rejects.toThrow("cut off");
  expect((await runAtOnce(fixture.idempotency, requestOf({ key: "other" }), 3)).replayed).toBe(false);
});

test("a request that is cancelled ends its call, whose outcome is then unknown", async () => {
  const fixture = setUp();

  const call = await abandon(fixture, {}, new RequestCancelledError());

  expect(call.signal.aborted).toBe(true);
  const retried = fixture.idempotency.run(requestOf(), () => expect.fail("bought again"));
  await expect(retried).rejects.toMatchObject(unknownOutcome);
});

test("a request whose caller has already left creates nothing", async () => {
  const { idempotency, create, calls } = setUp();

  const gone = idempotency.run(requestOf({ signal: AbortSignal.abort(new Error("left")) }), create);

  await expect(gone).rejects.toThrow("left");
  expect(calls).toEqual([]);
});

test("a caller that leaves during the read creates nothing, and the next request does", async () => {
  let found: (entry: undefined) => void = () => undefined;
  const { idempotency } = setUp({ read: () => new Promise((resolve) => (found = resolve)) });
  const leaving = new AbortController();

  const first = runAtOnce(idempotency, requestOf({ signal: leaving.signal }), 1);
  const second = runAtOnce(idempotency, requestOf({ fingerprint: "dog" }), 2);
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  found(undefined);

  expect(await second).toEqual({ response: responseOf(2), replayed: false });
});

test("the response is stored before it is returned, even when its first caller leaves meanwhile", async () => {
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

  const first = runAtOnce(idempotency, requestOf({ signal: leaving.signal }), 1);
  const second = runAtOnce(idempotency, requestOf(), 2).then((result) => {
    happened.push("returned");
    return result;
  });
  await writing;
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  happened.push("written");
  written();

  expect(await second).toEqual({ response: responseOf(1), replayed: true });
  expect(happened).toEqual(["written", "returned"]);
});

test("a request that arrives while an abandoned response is being stored gets it", async () => {
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

  const first = runAtOnce(idempotency, requestOf({ signal: leaving.signal }), 1);
  await writing;
  leaving.abort(new Error("left"));
  await expect(first).rejects.toThrow("left");
  const second = runAtOnce(idempotency, requestOf(), 2);
  written();

  expect(await second).toEqual({ response: responseOf(1), replayed: true });
});

test.each(["read", "lock"] as const)(
  "a request is refused before anything is created if the store cannot %s",
  async (step) => {
    const cause = new Error("no room");
    const { idempotency, failures, calls, create } = setUp({ [step]: () => Promise.reject(cause) });

    const refused = idempotency.run(requestOf(), create);

    await expect(refused).rejects.toMatchObject({
      code: "idempotency_unavailable",
      status: 503,
      retryAfterMs: 1000,
      nothingBilled: true,
      cause,
    });
    expect([calls, failures]).toEqual([[], []]);
  },
);

test("a response that could not be stored is returned once, and never created again", async () => {
  const unwritten = new Error("unwritten");
  const { idempotency, failures } = setUp({ write: () => Promise.reject(unwritten) });

  const first = await runAtOnce(idempotency, requestOf(), 1);
  const second = idempotency.run(requestOf(), () => expect.fail("It was created twice."));

  expect(first).toEqual({ response: responseOf(1), replayed: false });
  await expect(second).rejects.toMatchObject({ code: "idempotency_outcome_unknown", status: 409 });
  expect(failures).toEqual([unwritten]);
});

const refuse = (failure: unknown) => expect.fail(String(failure));

/** A store whose steps run when the scheduler says so. */
function createScheduledStore(scheduler: fc.Scheduler): ResponseStore {
  const store = createStore();
  return {
    ...store,
    read: scheduler.scheduleFunction(store.read),
    lock: scheduler.scheduleFunction(async (id: string, fingerprint: string) => {
      const attempt = await store.lock(id, fingerprint);
      if (attempt.kind !== "acquired") return attempt;
      return {
        ...attempt,
        lease: { ...attempt.lease, release: scheduler.scheduleFunction(attempt.lease.release) },
      };
    }),
    write: scheduler.scheduleFunction(store.write),
  };
}

test("with 50 concurrent requests one creates the response, in any order of events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const idempotency = new Idempotency(createScheduledStore(scheduler), { onFailure: refuse });
      let createdCount = 0;
      const create = () => {
        createdCount += 1;
        return scheduler.schedule(Promise.resolve(responseOf(createdCount)));
      };

      const runs = Array.from({ length: 50 }, async () => {
        await scheduler.schedule(Promise.resolve());
        return idempotency.run(requestOf(), create);
      });
      await scheduler.waitIdle();
      const results = await Promise.all(runs);

      expect(createdCount).toBe(1);
      expect(results.filter(({ replayed }) => !replayed)).toEqual([
        { response: responseOf(1), replayed: false },
      ]);
      expect(new Set(results.map(({ response }) => response))).toEqual(new Set([responseOf(1)]));
    }),
    { numRuns: 50, seed: 20261116 },
  );
});

test("callers that stay share one response or are refused, whatever the others do", async () => {
  const visitor = fc.record({ fingerprint: fc.constantFrom("cat", "dog"), leaves: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(visitor, { minLength: 50, maxLength: 50 }),
      async (scheduler, visitors) => {
        const idempotency = new Idempotency(createScheduledStore(scheduler), { onFailure: refuse });
        const creating = new Set<AbortSignal>();
        let createdCount = 0;
        const create: CreateResponse = async (signal) => {
          creating.add(signal);
          expect([...creating].filter(({ aborted }) => !aborted)).toHaveLength(1);
          const response = await scheduler.schedule(Promise.resolve(responseOf(++createdCount)));
          creating.delete(signal);
          return response;
        };

        const runs = visitors.map(async ({ fingerprint, leaves }) => {
          await scheduler.schedule(Promise.resolve());
          const leaving = new AbortController();
          if (leaves) void scheduler.schedule(Promise.resolve()).then(() => leaving.abort(new Error("left")));
          const { response } = await idempotency.run(
            requestOf({ fingerprint, signal: leaving.signal }),
            create,
          );
          return { fingerprint, response };
        });
        const settled = Promise.allSettled(runs);
        await scheduler.waitIdle();
        const results = await settled;

        const responses = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
        expect(new Set(responses.map((value) => JSON.stringify(value))).size).toBeLessThanOrEqual(1);
        for (const [index, result] of results.entries()) {
          if (result.status === "fulfilled") continue;
          if (visitors[index]?.leaves) expect([new Error("left"), conflict]).toContainEqual(result.reason);
          else expect(result.reason).toEqual(conflict);
        }
      },
    ),
    { numRuns: 200, seed: 20261116 },
  );
});

test("onStarted is called for the first request alone, even if its caller leaves before the lock is there", async () => {
  let allow: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => {
    allow = resolve;
  });
  const lease = { release: async () => undefined, markLost: async () => undefined };
  const { idempotency, create, called } = setUp({
    lock: async () => {
      await allowed;
      return { kind: "acquired", lease };
    },
  });
  const departure = new AbortController();
  const started: Promise<unknown>[][] = [[], []];
  const [first, second] = [departure.signal, new AbortController().signal].map((signal, index) =>
    idempotency.run(requestOf({ signal, onStarted: (outcome) => started[index]?.push(outcome) }), create),
  );
  await setImmediate();

  departure.abort(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  const calling = called();
  allow();
  (await calling).succeed(responseOf(1));

  expect(await second).toEqual({ response: responseOf(1), replayed: true });
  expect([started[0]?.length, started[1]?.length]).toEqual([1, 0]);
  expect(await started[0]?.[0]).toEqual({ response: responseOf(1), replayed: false });
});
