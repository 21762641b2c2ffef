import type { AccessKey } from "@model-gateway/domain/access-key";
import { GatewayError, storageUnavailable } from "@model-gateway/domain/errors";
import { createKeyDigest, createKeyText } from "@model-gateway/domain/key-text";
import { adminOperator } from "@model-gateway/domain/operator";
import { expect, test } from "vitest";
import type { KeyLookup } from "../keys/key-ring.js";
import type { SessionStore, StoredSession } from "./session-store.js";
import { findRunningKey, operatorKey, Sessions } from "./sessions.js";

const hour = 3_600_000;
const down = storageUnavailable(new Error("unavailable"));
const key: AccessKey = { id: "key_1", name: "one", limits: {}, isDisabled: false };

function createFixture() {
  const state = {
    now: 1_787_150_086_000,
    mark: "admin:1",
    key: key as KeyLookup,
    lookups: 0,
    failure: undefined as Error | undefined,
    /** Resolves when the replies of the database arrive. */
    replies: Promise.resolve(),
  };
  const stored = new Map<string, StoredSession>();
  const store: SessionStore = {
    create: async (session) => void stored.set(session.id, session),
    findByDigest: async (digest) => {
      state.lookups += 1;
      if (state.failure !== undefined) throw state.failure;
      const found = [...stored.values()].find((session) => session.digest.equals(digest));
      await state.replies;
      return found;
    },
    take: async () => undefined,
    end: async (id) => void stored.delete(id),
  };
  const options = {
    store,
    digest: createKeyDigest("secret"),
    timeout: () => AbortSignal.timeout(5000),
    findKey: async () => state.key,
    operators: {
      markOf: () => state.mark,
      findByMark: (mark: string) => (mark === state.mark ? adminOperator : undefined),
    },
    publishEnd: async () => undefined,
    now: () => state.now,
  };
  return { state, stored, sessions: new Sessions(options), elsewhere: new Sessions(options) };
}

test("a session is found by its secret, and the database has a digest of it alone", async () => {
  const { sessions, stored } = createFixture();

  const { session, text } = await sessions.create({ operator: adminOperator });

  expect(await sessions.find(text)).toMatchObject({
    id: session.id,
    kind: "operator",
    key: { name: "console" },
  });
  expect(await sessions.find(createKeyText("mg_session_"))).toBeUndefined();
  expect(await sessions.find("mg_session_0")).toBeUndefined();
  expect(JSON.stringify([...stored.values()])).not.toContain(text);
});

test("guesses of a greedy network leave room for the session of a modest one", async () => {
  const { sessions, elsewhere } = createFixture();
  const { session, text } = await elsewhere.create({ operator: adminOperator });
  const guess = () => sessions.find(createKeyText("mg_session_"), () => "greedy");
  const outcomes = Promise.allSettled(Array.from({ length: 1000 }, guess));

  const found = sessions.find(text, () => "modest");

  expect(await found).toMatchObject({ id: session.id });
  expect((await outcomes).filter(({ status }) => status === "rejected")).toHaveLength(1000 - 32);
});

test("a session in use queries the database once a second", async () => {
  const { state, sessions } = createFixture();
  const { text } = await sessions.create({ operator: adminOperator });

  for (let use = 0; use < 100; use += 1) await sessions.find(text);
  expect(state.lookups).toBe(1);

  state.now += 1000;
  await Promise.all([sessions.find(text), sessions.find(text)]);
  expect(state.lookups).toBe(2);
});

test("a session that has ended is refused here at once, and elsewhere within a second", async () => {
  const { state, sessions, elsewhere } = createFixture();
  const { session, text } = await sessions.create({ operator: adminOperator });
  await elsewhere.find(text);

  await sessions.end(session.id);

  expect(await sessions.find(text)).toBeUndefined();
  state.now += 1000;
  expect(await elsewhere.find(text)).toBeUndefined();
});

test("a session that has ended elsewhere is refused although the clock was set back", async () => {
  const { state, sessions, elsewhere } = createFixture();
  const { session, text } = await sessions.create({ operator: adminOperator });
  await elsewhere.find(text);

  state.now -= 2 * hour;
  await sessions.end(session.id);

  expect(await elsewhere.find(text)).toBeUndefined();
});

test("a known session works on while the database is down, and an unknown one does not", async () => {
  const { state, sessions, elsewhere } = createFixture();
  const { text } = await sessions.create({ operator: adminOperator });
  await sessions.find(text);

  state.failure = down;
  state.now += 1000;

  expect(await sessions.find(text)).toMatchObject({ kind: "operator" });
  await expect(elsewhere.find(text)).rejects.toMatchObject({ code: "storage_unavailable" });
});

test("a session lasts eight hours, and not longer than its key", async () => {
  const { state, sessions } = createFixture();
  const { text } = await sessions.create({ operator: adminOperator });
  const short = await sessions.create({ key: { ...key, expiresAt: state.now + hour } });

  expect(short.session.expiresAt).toBe(state.now + hour);
  state.now += 8 * hour - 1;
  expect(await sessions.find(text)).toBeDefined();
  state.now += 1;
  expect(await sessions.find(text)).toBeUndefined();
});

test("a session that ended elsewhere stays refused when the database goes down", async () => {
  const { state, sessions, elsewhere } = createFixture();
  const { session, text } = await sessions.create({ operator: adminOperator });
  await elsewhere.find(text);
  await sessions.end(session.id);
  state.now += 1000;
  await elsewhere.find(text);

  state.failure = down;

  await expect(elsewhere.find(text)).rejects.toMatchObject({ code: "storage_unavailable" });
});

test("a session that ends while it is looked up is not remembered", async () => {
  const { state, sessions, elsewhere } = createFixture();
  const { session, text } = await sessions.create({ operator: adminOperator });
  let reply = () => {};
  state.replies = new Promise((resolve) => {
    reply = resolve;
  });
  const lookup = elsewhere.find(text);

  await elsewhere.end(session.id);
  reply();
  await lookup;

  expect(await elsewhere.find(text)).toBeUndefined();
});

test.each([
  ["is a fault", new TypeError("a fault")],
  ["is another error", new GatewayError("internal_error", "an error")],
])("a lookup that fails since there %s fails for a known session too", async (_name, failure) => {
  const { state, sessions } = createFixture();
  const { text } = await sessions.create({ operator: adminOperator });
  await sessions.find(text);

  state.now += 1000;
  state.failure = failure;

  await expect(sessions.find(text)).rejects.toBe(failure);
});

test("the row of a sign-in code is not a session", async () => {
  const { stored, sessions } = createFixture();
  const { session, text } = await sessions.create({ operator: adminOperator });
  const row = stored.get(session.id);
  if (row !== undefined) stored.set(session.id, { ...row, kind: "code" });

  expect(await sessions.find(text)).toBeUndefined();
});

test("a text that is not a session secret is refused without a look at the database", async () => {
  const { state, sessions } = createFixture();

  expect(await sessions.find("mg_session_0")).toBeUndefined();
  expect(await sessions.find(createKeyText("mg_code_"))).toBeUndefined();
  expect(state.lookups).toBe(0);
});

test("a new session says whose it is, and is active until it ends", async () => {
  const { sessions } = createFixture();

  const [{ session: ofOperator }, { session: ofCaller }] = [
    await sessions.create({ operator: adminOperator }),
    await sessions.create({ key }),
  ];

  expect(ofOperator).toMatchObject({ kind: "operator", key: operatorKey });
  expect(ofCaller).toMatchObject({ kind: "caller", key });
  expect([await ofOperator.isActive(), await ofCaller.isActive()]).toEqual([true, true]);
  await sessions.end(ofCaller.id);
  expect([await ofOperator.isActive(), await ofCaller.isActive()]).toEqual([true, false]);
});

test("work of an operator runs on with the operator's key, and work of others with theirs", async () => {
  const keys = { findById: async (id: string) => (id === key.id ? key : "revoked") as KeyLookup };

  expect(await findRunningKey(operatorKey.id, keys)).toBe(operatorKey);
  expect(await findRunningKey(key.id, keys)).toBe(key);
  expect(await findRunningKey("key_2", keys)).toBe("revoked");
});

test("another admin key ends the sessions of operators", async () => {
  const { state, sessions } = createFixture();
  const { session, text } = await sessions.create({ operator: adminOperator });

  state.mark = "admin:2";

  expect(await sessions.find(text)).toBeUndefined();
  expect(await session.isActive()).toBe(false);
});

test("a caller's session has the present limits of its key, and ends with it", async () => {
  const { state, sessions } = createFixture();
  const { text } = await sessions.create({ key });

  state.key = { ...key, limits: { requestsPerMinute: 5 } };
  expect(await sessions.find(text)).toMatchObject({
    kind: "caller",
    key: { limits: { requestsPerMinute: 5 } },
  });

  state.key = "revoked";
  expect(await sessions.find(text)).toBeUndefined();
});
