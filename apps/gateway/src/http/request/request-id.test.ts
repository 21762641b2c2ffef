import { expect, test } from "vitest";
import { RequestIds } from "./request-id.js";

test("ids are unique and of one form", () => {
  const requestIds = new RequestIds();
  const ids = Array.from({ length: 10_000 }, () => requestIds.next());

  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
});

test("an id begins with the time, so that later ids sort after earlier ones", () => {
  const before = Date.now();
  const id = new RequestIds().next();
  const after = Date.now();
  const time = Number.parseInt(id.slice(4, 16), 16);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(after);
});
