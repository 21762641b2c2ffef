import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import { budgetPeriod } from "../../limits/account.js";
import { rowOf } from "../../usage/test/ledger-rows.js";
import { DatabaseKeyStore } from "../keys/key-store.js";
import { DatabaseLedgerStore } from "./ledger-store.js";

const dayMs = 24 * 3_600_000;
const day = Date.UTC(2026, 7, 19);

describeDatabaseOfTier("usage of owners and months", ({ database }) => {
  test("usage of one owner is that of the owner's keys, of revoked ones and of those in the file", async () => {
    const store = new DatabaseLedgerStore(database());
    const keys = new DatabaseKeyStore(database(), { now: () => day });
    const createKey = (owner: string) =>
      keys.create({
        name: "a",
        limits: {},
        isDisabled: false,
        digest: randomBytes(32),
        lastFour: "wxyz",
        owner,
      });
    const [one, two, other] = [await createKey("ann"), await createKey("ann"), await createKey("Ann")];
    await keys.revoke(two.id);
    // Parts of an hour are summed from rows, whole hours and days from rollups.
    await store.add(
      [one.id, two.id, other.id, "config:a", "config:b"].flatMap((keyId, index) =>
        [day + 1, day + 3_600_000, day + dayMs].map((at, step) =>
          rowOf(10 * index + step, { keyId, at, inputTokens: 10 ** index }),
        ),
      ),
    );
    const usageOf = async (name: string, fileKeyIds: string[], from: number) =>
      (await store.usage({ groupBy: ["owner"], filter: { from, owner: { name, fileKeyIds } } })).map(
        ({ inputTokens }) => inputTokens,
      );

    expect(await usageOf("ann", [], day)).toEqual([33]);
    expect(await usageOf("ann", [], day + 1)).toEqual([33]);
    expect(await usageOf("Ann", ["config:a", "config:c"], day + 2)).toEqual([2000, 200]);
    expect(await usageOf("bob", [], day)).toEqual([]);
  });

  test("usage by month begins with the first of each, as budgets do", async () => {
    const store = new DatabaseLedgerStore(database());
    const times = [
      "2024-02-29T23:59:59.999Z",
      "2024-03-01T00:00:00Z",
      "2024-12-31T23:00:00Z",
      "2025-01-01T00:00:00Z",
    ];
    await store.add(times.map((time, index) => rowOf(index, { at: Date.parse(time) })));

    const usage = await store.usage({ groupBy: ["month"], filter: {} });

    expect(usage.map(({ startsAt = 0 }) => startsAt)).toEqual(
      times.map((time) => budgetPeriod("month", Date.parse(time)).startsAt),
    );
  });
});
