import { expect, test } from "vitest";
import { gatherRows } from "./gather-rows.js";
import type { LedgerRow } from "./ledger-row.js";
import { rowOf } from "./test/ledger-rows.js";

test("rows that come together are recorded together, and are when their promises resolve", async () => {
  const recorded: string[][] = [];
  const record = gatherRows({ record: (...rows) => void recorded.push(rows.map(({ id }) => id)) });
  const seen = await Promise.all(
    [1, 2, 3].map(async (number): Promise<LedgerRow["id"][]> => {
      // As requests are whose answers came in one turn.
      await undefined;
      await record(rowOf(number));
      return [...(recorded.at(-1) ?? [])];
    }),
  );
  expect(recorded).toHaveLength(1);
  expect(seen).toEqual([recorded[0], recorded[0], recorded[0]]);

  await record(rowOf(4));
  expect(recorded).toHaveLength(2);
});
