import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import type { StoredSession } from "../../sessions/session-store.js";
import { createSessionStore } from "./session-store.js";

const now = 1_787_150_086_123;
let count = 0;
const newSession = (session: Partial<StoredSession> = {}): StoredSession => {
  count += 1;
  return {
    id: `session_${count}`,
    digest: randomBytes(32),
    kind: "operator",
    grantedBy: "admin:1",
    createdAt: now + count,
    expiresAt: now + 60_000,
    ...session,
  };
};

describeDatabaseOfTier("sessions", ({ database }) => {
  const createStore = () => createSessionStore(database());

  test("a session is found by its digest as it was created, until it ends", async () => {
    const store = createStore();
    const session = newSession({ kind: "caller", grantedBy: "config:café" });

    await store.create(session, 100);
    expect(await store.findByDigest(session.digest)).toEqual(session);
    expect(await store.findByDigest(randomBytes(32))).toBeUndefined();

    await store.end(session.id);
    await store.end(session.id);
    expect(await store.findByDigest(session.digest)).toBeUndefined();
  });

  test("a row is taken once, however many ask for it", async () => {
    const store = createStore();
    const code = newSession({ kind: "code", grantedBy: "code:admin:1" });
    await store.create(code, 1);

    const taken = await Promise.all(Array.from({ length: 8 }, () => store.take(code.digest)));

    expect(taken.filter((row) => row !== undefined)).toEqual([code]);
    expect(await store.findByDigest(code.digest)).toBeUndefined();
    expect(await store.take(randomBytes(32))).toBeUndefined();
  });

  test("a new session deletes those that have expired", async () => {
    const store = createStore();
    const old = newSession({ expiresAt: now + 10 });
    const other = newSession();

    await store.create(old, 100);
    await store.create(other, 100);
    await store.create(newSession({ createdAt: now + 10 }), 100);

    expect(await store.findByDigest(old.digest)).toBeUndefined();
    expect(await store.findByDigest(other.digest)).toEqual(other);
  });

  test("beyond the most sessions of one grant, the oldest end", async () => {
    const store = createStore();
    const sessions = Array.from({ length: 5 }, () => newSession({ grantedBy: "key_1" }));
    const other = newSession({ grantedBy: "key_2" });

    await store.create(other, 3);
    for (const session of sessions) await store.create(session, 3);

    const found = await Promise.all(sessions.map(({ digest }) => store.findByDigest(digest)));
    expect(found.map((session) => session?.id)).toEqual([
      undefined,
      undefined,
      ...sessions.slice(2).map(({ id }) => id),
    ]);
    expect(await store.findByDigest(other.digest)).toEqual(other);
  });
});
