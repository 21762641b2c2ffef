import { expect, test } from "vitest";
import { newId, newOrderedId } from "./new-id.js";

test("ids have their prefix and are different", () => {
  const ids = Array.from({ length: 100 }, () => newId("key_"));

  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^key_[0-9a-f]{24}$/);
});

test("ordered ids sort by their time", () => {
  const ids = [1, 999, 1_700_000_000_000, 4_000_000_000_000].map((now) => newOrderedId("file-", now));

  expect([...ids].reverse().sort()).toEqual(ids);
  // The spec has the pattern of a job's id.
  for (const id of ids) expect(id).toMatch(/^file-[0-9a-f]{32}$/);
});
