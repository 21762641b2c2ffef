import { expect, test } from "vitest";
import { createRequestId } from "./request-id.js";

test("many ids at once are all different, and of one form", () => {
  const ids = Array.from({ length: 10_000 }, createRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
});

test("an id begins with the time, so that later ones sort behind earlier ones", async () => {
  const before = Date.now();
  const id = createRequestId();
  const after = Date.now();
  const time = Number.parseInt(id.slice(4, 16), 16);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(after);
});
