import { GatewayError } from "@model-gateway/domain/errors";
import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import {
  type CreateResponse,
  Idempotency,
  type IdempotencyOptions,
  type IdempotentRequest,
} from "../../images/idempotency/idempotency.js";
import type { ResponseStore, StoredResponse } from "../../images/idempotency/response-store.js";
import type { Database } from "../database/open-database.js";
import { openDatabaseResponseStore } from "./database-response-store.js";
import { lostResponsesMax } from "./stored-entry.js";

/** Replicas that share a database create each response once. `response-stores.stages.test.ts` covers the store itself. */
const responseOf = (created: number): StoredResponse => ({
  images: { created, data: [{ b64_json: Buffer.from("AAAA") }] },
  credentials: "none",
});
const requestOf = (fields: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  caller: "alice",
  operation: "createImage",
  key: "order-1",
  fingerprint: "cat",
  signal: new AbortController().signal,
  ...fields,
});
const conflict = new GatewayError(
  "idempotency_conflict",
  "The Idempotency-Key 'order-1' was used with another request.",
);

interface CreateCall {
  readonly signal: AbortSignal;
  readonly resolve: (response: StoredResponse) => void;
  readonly fail: (failure: unknown) => void;
}

/** Creates responses when the test resolves its calls. */
function createUpstream(): { create: CreateResponse; calls: CreateCall[] } {
  const calls: CreateCall[] = [];
  const create: CreateResponse = (signal) =>
    new Promise((resolve, fail) => void calls.push({ signal, resolve, fail }));
  return { create, calls };
}

describeDatabaseOfTier("idempotency across replicas", ({ database, open }) => {
  let nowMs = 1_787_150_086_123;
  const failures: unknown[] = [];
  const onFailure = (failure: unknown) => failures.push(failure);
  const opened: ResponseStore[] = [];
  afterEach(async () => void (await Promise.all(opened.splice(0).map((store) => store.close()))));

  async function startReplica(
    own: Database = database(),
    options: Partial<IdempotencyOptions> = {},
  ): Promise<Pick<Idempotency, "run"> & { readonly store: ResponseStore }> {
    const store = await openDatabaseResponseStore(own, { bytesMax: 1_000_000, now: () => nowMs, onFailure });
    opened.push(store);
    const idempotency = new Idempotency(store, { onFailure, pollEveryMs: 5, ...options });
    return { run: (request, create) => idempotency.run(request, create), store };
  }
  const locks = () => database().kysely.selectFrom("leases").selectAll().execute();
  const begun = ({ calls }: { readonly calls: readonly CreateCall[] }, count = 1) =>
    expect.poll(() => calls.length, { timeout: 90_000 }).toBe(count);

  test("of many requests at three replicas, one runs and all get its response", async () => {
    const replicas = [
      await startReplica(),
      await startReplica(await open()),
      await startReplica(await open()),
    ];
    const upstream = createUpstream();

    const runs = Array.from({ length: 30 }, (_, index) =>
      replicas[index % 3]!.run(requestOf(), upstream.create),
    );
    await begun(upstream);
    upstream.calls[0]!.resolve(responseOf(1));
    const outcomes = await Promise.all(runs);

    expect(upstream.calls).toHaveLength(1);
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(outcomes.map(({ response }) => response)).toEqual(outcomes.map(() => responseOf(1)));
    expect(await locks()).toEqual([]);
    expect(failures).toEqual([]);
  });

  test("the bytes of all responses are counted without reading the others, and a sweep corrects the count", async () => {
    const { store } = await startReplica();
    const entryOf = (size: number) => ({ fingerprint: "cat", response: responseOf(size) });
    const counted = async () =>
      (
        await database()
          .kysely.selectFrom("revisions")
          .select("value")
          .where("name", "=", "stored_responses")
          .executeTakeFirstOrThrow()
      ).value;
    const bytes = async () =>
      (await database().kysely.selectFrom("stored_responses").select("bytes").execute()).reduce(
        (sum, row) => sum + row.bytes,
        0,
      );
    const ids = ["a", "b", "c"].map((letter) => letter.repeat(64));

    for (const [index, id] of ids.entries()) await store.write(id, entryOf(index));
    await store.write(ids[0]!, entryOf(9));
    const atFirst = [await counted(), await bytes()];
    // Far too high, as after rows were deleted by hand. Only the newest response is kept then.
    await database()
      .kysely.updateTable("revisions")
      .set({ value: 10_000_000 })
      .where("name", "=", "stored_responses")
      .execute();
    nowMs += 1;
    await store.write("d".repeat(64), entryOf(4));
    const kept = await Promise.all([...ids, "d".repeat(64)].map((id) => store.read(id)));
    await store.sweep();

    expect(atFirst[0]).toBe(atFirst[1]);
    expect(kept).toEqual([undefined, undefined, undefined, entryOf(4)]);
    expect(await counted()).toBe(await bytes());
  });

  test("lost responses beyond the limit are forgotten, the oldest of the caller with most of them", async () => {
    const { store } = await startReplica();
    const { kysely } = database();
    const lost = { bytes: 0, content: "" };
    const modest = [1, 2].map((number) => ({
      ...lost,
      id: "f".repeat(63) + number,
      written_at: nowMs - 60_000,
    }));
    await kysely.insertInto("stored_responses").values(modest).execute();
    await sql`
      insert into stored_responses (id, written_at, bytes, content)
      with recursive numbers (number) as (
        select 1 union all select number + 1 from numbers where number < ${sql.lit(lostResponsesMax)}
      )
      select 'aaaaaaaaaaaaaaaa' || (1000000 + number), cast(${nowMs - 1000} as bigint) - number, 0, '' from numbers`.execute(
      kysely,
    );

    await store.sweep();

    const kept = await kysely.selectFrom("stored_responses").select("id").orderBy("id").execute();
    expect(kept).toHaveLength(lostResponsesMax);
    expect(kept.slice(-2).map(({ id }) => id)).toEqual(modest.map(({ id }) => id));
    // The oldest two of the other caller went.
    expect(kept.at(-3)).toEqual({ id: `aaaaaaaaaaaaaaaa${1_000_000 + lostResponsesMax - 2}` });
  });

  test("a different request with a key in flight elsewhere is a conflict, and the first continues", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const upstream = createUpstream();

    const first = one.run(requestOf(), upstream.create);
    await begun(upstream);
    await expect(two.run(requestOf({ fingerprint: "dog" }), upstream.create)).rejects.toEqual(conflict);
    upstream.calls[0]!.resolve(responseOf(1));

    expect(await first).toEqual({ response: responseOf(1), replayed: false });
    expect(upstream.calls).toHaveLength(1);
  });

  test("a retry of a request in flight elsewhere is not refused because of an earlier conflict", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const upstream = createUpstream();

    const first = one.run(requestOf(), upstream.create);
    await begun(upstream);
    const both = Promise.allSettled([
      two.run(requestOf({ fingerprint: "dog" }), upstream.create),
      two.run(requestOf(), upstream.create),
    ]);
    upstream.calls[0]!.resolve(responseOf(1));
    await first;

    expect(await both).toEqual([
      { status: "rejected", reason: conflict },
      { status: "fulfilled", value: { response: responseOf(1), replayed: true } },
    ]);
  });

  test("a failure reaches the waiters elsewhere, and the next request may try again", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const upstream = createUpstream();
    const detail = { param: "prompt", retryAfterMs: 500, headers: { "x-should-retry": "false" } };
    const message = "The outcome is unknown.";
    const failure = new GatewayError("upstream_error", message, { ...detail, cause: new Error("private") });

    const first = one.run(requestOf(), upstream.create);
    await begun(upstream);
    const locking = vi.spyOn(two.store, "lock");
    const second = two.run(requestOf(), upstream.create);
    await expect
      .poll(() => locking.mock.settledResults, { timeout: 90_000 })
      .toMatchObject([{ value: { kind: "held" } }]);
    upstream.calls[0]!.fail(failure);
    // Awaited together: either may be rejected first.
    await Promise.all([
      expect(first).rejects.toBe(failure),
      expect(second).rejects.toEqual(new GatewayError("upstream_error", message, detail)),
    ]);

    expect(upstream.calls).toHaveLength(1);
    const again = await two.run(requestOf({ fingerprint: "dog" }), async () => responseOf(2));
    expect(again).toEqual({ response: responseOf(2), replayed: false });
  });

  test("a request that is abandoned here is taken over by a waiter elsewhere", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const upstream = createUpstream();
    const leaving = new AbortController();

    const first = one.run(requestOf({ signal: leaving.signal }), upstream.create);
    await begun(upstream);
    const second = two.run(requestOf(), upstream.create);
    leaving.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    await begun(upstream, 2);
    upstream.calls[1]!.resolve(responseOf(2));

    expect(upstream.calls[0]!.signal.aborted).toBe(true);
    expect(await second).toEqual({ response: responseOf(2), replayed: false });
    // The abandoned call ends at last; the response that replaced it stays.
    upstream.calls[0]!.resolve(responseOf(1));
    expect(await one.run(requestOf(), upstream.create)).toEqual({ response: responseOf(2), replayed: true });
  });

  test("an abandoned request frees its key at once for another request at the same replica", async () => {
    const one = await startReplica();
    const upstream = createUpstream();
    const leaving = new AbortController();

    const first = one.run(requestOf({ signal: leaving.signal }), upstream.create);
    await begun(upstream);
    leaving.abort(new Error("left"));
    await expect(first).rejects.toThrow("left");
    const other = one.run(requestOf({ fingerprint: "dog" }), async () => responseOf(2));

    expect(await other).toEqual({ response: responseOf(2), replayed: false });
  });

  test("a dead replica's purchase is not repeated by another one, which says so when its lease expires", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const upstream = createUpstream();
    const dead = await one.store.lock(await scopeId(one), "cat");
    expect(dead.kind).toBe("acquired");
    await one.store.close();

    const locking = vi.spyOn(two.store, "lock");
    const second = two.run(requestOf(), upstream.create).catch((failure: unknown) => failure);
    await expect
      .poll(() => locking.mock.settledResults, { timeout: 90_000 })
      .toMatchObject([{ value: { kind: "held" } }]);
    nowMs += 60_000;

    expect(await second).toMatchObject({ code: "idempotency_outcome_unknown", status: 409 });
    expect(upstream.calls).toEqual([]);
  });

  test("a lock that is held for long is renewed", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const one = await startReplica();
    const upstream = createUpstream();
    const first = one.run(requestOf(), upstream.create);
    await begun(upstream);
    const [before] = await locks();

    nowMs += 50_000;
    vi.advanceTimersByTime(15_000);
    await expect
      .poll(async () => (await locks())[0]?.lease_until, { timeout: 90_000 })
      .toBe(before!.lease_until + 50_000);
    upstream.calls[0]!.resolve(responseOf(1));
    await first;

    expect(await locks()).toEqual([]);
    await one.store.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test("a waiter elsewhere may leave, and times out", async () => {
    const one = await startReplica();
    const two = await startReplica(database(), { pollEveryMs: 1, waitMs: 20 });
    const upstream = createUpstream();
    const leaving = new AbortController();

    const first = one.run(requestOf(), upstream.create);
    await begun(upstream);
    const left = two.run(requestOf({ signal: leaving.signal }), upstream.create);
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    const late = two.run(requestOf(), upstream.create);

    await expect(late).rejects.toEqual(
      new GatewayError(
        "upstream_timeout",
        "The response is still being created for an earlier request with this Idempotency-Key. Retry with the same key.",
      ),
    );
    upstream.calls[0]!.resolve(responseOf(1));
    expect(await first).toEqual({ response: responseOf(1), replayed: false });
    expect(upstream.calls).toHaveLength(1);
  });

  test("a response that was stored between read and lock is replayed", async () => {
    const [one, two] = [await startReplica(), await startReplica()];
    const { store } = two;
    const read = vi.spyOn(store, "read").mockImplementationOnce(async (id) => {
      await one.run(requestOf(), async () => responseOf(1));
      read.mockRestore();
      expect(id).toHaveLength(64);
      return undefined;
    });

    const second = await two.run(requestOf(), () => expect.fail("It was created twice."));

    expect(second).toEqual({ response: responseOf(1), replayed: true });
    expect(await locks()).toEqual([]);
  });

  test("a sweep removes failures that have been seen, and locks of dead replicas after a day", async () => {
    const one = await startReplica();
    await one.store.lock("a".repeat(64), "cat");
    const failed = await one.store.lock("b".repeat(64), "cat");
    if (failed.kind === "acquired")
      await failed.lease.release(new GatewayError("upstream_error", "no image"));
    nowMs += 60_000;

    await one.store.sweep();
    const ids = (await locks()).map(({ name }) => name);
    nowMs += 24 * 60 * 60_000;
    await one.store.sweep();

    expect(ids).toEqual([`response ${"a".repeat(64)}`]);
    expect(await locks()).toEqual([]);
  });

  test("with an unreachable database nothing is bought", async () => {
    const own = await open();
    const one = await startReplica(own);
    await own.close();
    failures.length = 0;

    const refused = one.run(requestOf(), () => expect.fail("It was bought."));

    await expect(refused).rejects.toMatchObject({ code: "idempotency_unavailable", nothingBilled: true });
    expect(failures).toEqual([]);
  });

  test("a database that goes down after the purchase loses the response, and it is not bought again", async () => {
    const own = await open();
    const [one, two] = [await startReplica(own), await startReplica()];

    const first = await one.run(requestOf(), async () => {
      await own.close();
      return responseOf(1);
    });
    nowMs += 60_000;
    const second = two.run(requestOf(), () => expect.fail("It was bought twice."));

    expect(first).toEqual({ response: responseOf(1), replayed: false });
    await expect(second).rejects.toMatchObject({ code: "idempotency_outcome_unknown" });
    expect(failures).toHaveLength(2);
    failures.length = 0;
  });

  /** The id under which the response of `requestOf` is stored. */
  async function scopeId({
    run,
    store,
  }: Pick<Idempotency, "run"> & { readonly store: ResponseStore }): Promise<string> {
    const read = vi.spyOn(store, "read");
    await expect(run(requestOf(), () => Promise.reject(new Error("no response")))).rejects.toThrow(
      "no response",
    );
    const [[id]] = read.mock.calls as [[string]];
    read.mockRestore();
    return id;
  }
});
