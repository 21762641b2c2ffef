import { createKeyDigest, createKeyText } from "@model-gateway/domain/key-text";
import { expect, test } from "vitest";
import type { StoredSession } from "./session-store.js";
import { SignInCodes } from "./sign-in-codes.js";

function createFixture() {
  const state = { now: 1_787_150_086_000, mark: "admin:1", refused: 0 };
  const stored = new Map<string, StoredSession>();
  const options = {
    store: {
      create: async (session: StoredSession, perGrantMax: number) => {
        expect(perGrantMax).toBe(1);
        for (const [key, { grantedBy }] of stored) if (grantedBy === session.grantedBy) stored.delete(key);
        stored.set(session.digest.toString("hex"), session);
      },
      take: async (digest: Buffer) => {
        const session = stored.get(digest.toString("hex"));
        stored.delete(digest.toString("hex"));
        return session;
      },
    },
    digest: createKeyDigest("secret"),
    timeout: () => AbortSignal.timeout(5000),
    operators: { markOf: () => state.mark },
    onRefused: () => {
      state.refused += 1;
    },
    now: () => state.now,
  };
  return { state, stored, codes: new SignInCodes(options), elsewhere: new SignInCodes(options) };
}

test("a code works once, on any worker, and the database has a digest of it alone", async () => {
  const { state, stored, codes, elsewhere } = createFixture();

  const { text } = await codes.create();
  const rows = JSON.stringify([...stored.values()]);
  const uses = await Promise.all([elsewhere.redeem(text), codes.redeem(text), elsewhere.redeem(text)]);

  expect(text).toMatch(/^mg_code_[0-9a-z]{38}$/);
  expect(rows).not.toContain(text);
  expect(uses).toEqual([true, false, false]);
  expect(state.refused).toBe(2);
});

test("a code works for ten minutes", async () => {
  const { state, codes } = createFixture();
  const minutes = 60_000;

  const { text: first } = await codes.create();
  state.now += 10 * minutes - 1;
  expect(await codes.redeem(first)).toBe(true);

  const { text: second } = await codes.create();
  state.now += 10 * minutes;
  expect(await codes.redeem(second)).toBe(false);
});

test("a new code and another admin key end a code", async () => {
  const { state, codes } = createFixture();

  const { text: first } = await codes.create();
  const { text: second } = await codes.create();
  expect(await codes.redeem(first)).toBe(false);

  state.mark = "admin:2";
  expect(await codes.redeem(second)).toBe(false);
});

test("a text that is not a code is refused without a look at the database", async () => {
  const { codes, stored } = createFixture();
  await codes.create();

  expect(await codes.redeem("mg_code_0")).toBe(false);
  expect(await codes.redeem(createKeyText("mg_session_"))).toBe(false);
  expect(stored.size).toBe(1);
});
