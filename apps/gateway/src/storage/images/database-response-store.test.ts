import { afterEach, expect, test, vi } from "vitest";
import { describeDatabases } from "../../../test/postgres/describe-databases.js";
import { GatewayError } from "../../errors.js";
import {
  type CreateResponse,
  createIdempotency,
  type Idempotency,
  type IdempotencyOptions,
  type IdempotentRequest,
} from "../../images/idempotency/idempotency.js";
import type { ResponseStore, StoredResponse } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";
import { openDatabaseResponseStore } from "./database-response-store.js";

/** Replicas that share a database make each response once. The store itself is tested with the others of its kind. */
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

interface MakeCall {
  readonly signal: AbortSignal;
  readonly response: (response: StoredResponse) => void;
  readonly fail: (failure: unknown) => void;
}

/** A maker that responses when it is told to. */
function createMaker(): { make: CreateResponse; calls: MakeCall[] } {
  const calls: MakeCall[] = [];
  const make: CreateResponse = (signal) =>
    new Promise((response, fail) => void calls.push({ signal, response, fail }));
  return { make, calls };
}

describeDatabases("idempotency across replicas", ({ database, open }) => {
  let nowMs = 1_787_150_086_123;
  const failures: unknown[] = [];
  const onFailure = (failure: unknown) => failures.push(failure);
  const opened: ResponseStore[] = [];
  afterEach(async () => void (await Promise.all(opened.splice(0).map((store) => store.close()))));

  async function startReplica(
    own: Database = database(),
    options: Partial<IdempotencyOptions> = {},
  ): Promise<Idempotency & { readonly store: ResponseStore }> {
    const store = await openDatabaseResponseStore(own, { bytesMax: 1_000_000, now: () => nowMs, onFailure });
    opened.push(store);
    const idempotency = createIdempotency(store, { onFailure, lookEveryMs: 5, ...options });
    return { run: (claim, make) => idempotency.run(claim, make), store };
  }
  const claims = () => database().kysely.selectFrom("answer_claims").selectAll().execute();
  const begun = ({ calls }: { readonly calls: readonly MakeCall[] }, count = 1) =>
    expect.poll(() => calls.length, { timeout: 10_000 }).toBe(count);

  test("of many requests at three replicas one is made, and all get its response", async () => {
    const replicas = [
      await startReplica(),
      await startReplica(await open()),
      await startReplica(await open()),
    ];
    const maker = createMaker();

    const runs = Array.from({ length: 30 }, (_, index) => replicas[index % 3]!.run(requestOf(), maker.make));
    await begun(maker);
    maker.calls[0]!.response(responseOf(1));
    const outcomes = await Promise.all(runs);

    expect(maker.calls).toHaveLength(1);
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(outcomes.map(({ response }) => response)).toEqual(outcomes.map(() => responseOf(1)));
    expect(await claims()).toEqual([]);
    expect(failures).toEqual([]);
  });

  test("another request under a key that runs elsewhere is a conflict, and the first goes on", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const maker = createMaker();

    const first = one.run(requestOf(), maker.make);
    await begun(maker);
    await expect(two.run(requestOf({ fingerprint: "dog" }), maker.make)).rejects.toEqual(conflict);
    maker.calls[0]!.response(responseOf(1));

    expect(await first).toEqual({ response: responseOf(1), replayed: false });
    expect(maker.calls).toHaveLength(1);
  });

  test("who repeats what runs elsewhere is not refused for another that came a moment before", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const maker = createMaker();

    const first = one.run(requestOf(), maker.make);
    await begun(maker);
    const both = Promise.allSettled([
      two.run(requestOf({ fingerprint: "dog" }), maker.make),
      two.run(requestOf(), maker.make),
    ]);
    maker.calls[0]!.response(responseOf(1));
    await first;

    expect(await both).toEqual([
      { status: "rejected", reason: conflict },
      { status: "fulfilled", value: { response: responseOf(1), replayed: true } },
    ]);
  });

  test("a failure is told to who waits elsewhere, and the next may try again", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const maker = createMaker();
    const detail = { param: "prompt", retryAfterMs: 500, headers: { "x-should-retry": "false" } };
    const message = "The outcome is not known.";
    const failure = new GatewayError("upstream_error", message, { ...detail, cause: new Error("private") });

    const first = one.run(requestOf(), maker.make);
    await begun(maker);
    const claiming = vi.spyOn(two.store, "lock");
    const second = two.run(requestOf(), maker.make);
    await expect.poll(() => claiming.mock.settledResults).toMatchObject([{ value: { kind: "theirs" } }]);
    maker.calls[0]!.fail(failure);
    // Both at once: nobody knows which of them hears of it first.
    await Promise.all([
      expect(first).rejects.toBe(failure),
      expect(second).rejects.toEqual(new GatewayError("upstream_error", message, detail)),
    ]);

    expect(maker.calls).toHaveLength(1);
    const again = await two.run(requestOf({ fingerprint: "dog" }), async () => responseOf(2));
    expect(again).toEqual({ response: responseOf(2), replayed: false });
  });

  test("what is given up here is made by who waits elsewhere", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const maker = createMaker();
    const leaving = new AbortController();

    const first = one.run(requestOf({ signal: leaving.signal }), maker.make);
    await begun(maker);
    const second = two.run(requestOf(), maker.make);
    leaving.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    await begun(maker, 2);
    maker.calls[1]!.response(responseOf(2));

    expect(maker.calls[0]!.signal.aborted).toBe(true);
    expect(await second).toEqual({ response: responseOf(2), replayed: false });
    // What was given up ends at last; the response that took its place stays.
    maker.calls[0]!.response(responseOf(1));
    expect(await one.run(requestOf(), maker.make)).toEqual({ response: responseOf(2), replayed: true });
  });

  test("what is given up frees the key at once for another request at the same replica", async () => {
    const one = await startReplica();
    const maker = createMaker();
    const leaving = new AbortController();

    const first = one.run(requestOf({ signal: leaving.signal }), maker.make);
    await begun(maker);
    leaving.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    const other = one.run(requestOf({ fingerprint: "dog" }), async () => responseOf(2));

    expect(await other).toEqual({ response: responseOf(2), replayed: false });
  });

  test("the right of a replica that died is taken over when its lease is over", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const maker = createMaker();
    const dead = await one.store.lock(await scopeId(one), "cat");
    expect(dead.kind).toBe("mine");
    await one.store.close();

    const second = two.run(requestOf(), maker.make);
    nowMs += 59_999;
    expect(maker.calls).toEqual([]);
    nowMs += 1;
    await begun(maker);
    maker.calls[0]!.response(responseOf(2));

    expect(await second).toEqual({ response: responseOf(2), replayed: false });
  });

  test("a right that is used for long is kept up", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const one = await startReplica();
    const maker = createMaker();
    const first = one.run(requestOf(), maker.make);
    await begun(maker);
    const [before] = await claims();

    nowMs += 50_000;
    vi.advanceTimersByTime(15_000);
    await expect.poll(async () => (await claims())[0]?.expires_at).toBe(before!.expires_at + 50_000);
    maker.calls[0]!.response(responseOf(1));
    await first;

    expect(await claims()).toEqual([]);
    await one.store.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test("who waits elsewhere may leave, and does not wait for ever", async () => {
    const one = await startReplica();
    const two = await startReplica(database(), { lookEveryMs: 1, waitMs: 20 });
    const maker = createMaker();
    const leaving = new AbortController();

    const first = one.run(requestOf(), maker.make);
    await begun(maker);
    const left = two.run(requestOf({ signal: leaving.signal }), maker.make);
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    const late = two.run(requestOf(), maker.make);

    await expect(late).rejects.toEqual(
      new GatewayError(
        "upstream_timeout",
        "The response is still being created for an earlier request with this Idempotency-Key. Retry with the same key.",
      ),
    );
    maker.calls[0]!.response(responseOf(1));
    expect(await first).toEqual({ response: responseOf(1), replayed: false });
    expect(maker.calls).toHaveLength(1);
  });

  test("a response that was stored between the look and the claim is replayed", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const { store } = two;
    const read = vi.spyOn(store, "read").mockImplementationOnce(async (id) => {
      await one.run(requestOf(), async () => responseOf(1));
      read.mockRestore();
      expect(id).toHaveLength(64);
      return undefined;
    });

    const second = await two.run(requestOf(), () => expect.fail("It was made twice."));

    expect(second).toEqual({ response: responseOf(1), replayed: true });
    expect(await claims()).toEqual([]);
  });

  test("a sweep removes claims that are over", async () => {
    const one = await startReplica();
    await one.store.lock("a".repeat(64), "cat");
    nowMs += 60_000;

    await one.store.sweep();

    expect(await claims()).toEqual([]);
  });

  test("a database that is away is reported and fails no request", async () => {
    const own = await open();
    const one = await startReplica(own);
    await own.close();
    failures.length = 0;

    const outcome = await one.run(requestOf(), async () => responseOf(1));

    expect(outcome).toEqual({ response: responseOf(1), replayed: false });
    expect(failures).toHaveLength(3);
    failures.length = 0;
  });

  /** The id under which the claim of `requestOf` is kept. */
  async function scopeId({ run, store }: Idempotency & { readonly store: ResponseStore }): Promise<string> {
    const read = vi.spyOn(store, "read");
    await expect(run(requestOf(), () => Promise.reject(new Error("no response")))).rejects.toThrow(
      "no response",
    );
    const [[id]] = read.mock.calls as [[string]];
    read.mockRestore();
    return id;
  }
});
