import { describe, expect, it } from "vitest";
import { SharedPool } from "./shared-pool.js";

/** Takes one at a time, as long as it is allowed. Returns how many. */
function takeAll(pool: SharedPool, key: string): number {
  let taken = 0;
  while (pool.take(key, 1)) taken += 1;
  return taken;
}

describe("a pool that keys share", () => {
  it("leaves something for each key that comes later", () => {
    const pool = new SharedPool(16);

    const taken = ["a", "b", "c", "d", "e"].map((key) => takeAll(pool, key));

    expect(taken).toEqual([8, 4, 2, 1, 1]);
    expect(pool.used).toBe(16);
  });

  it("gives one key everything only in one piece", () => {
    const pool = new SharedPool(16);

    expect(pool.take("a", 17)).toBe(false);
    expect(pool.take("a", 16)).toBe(true);
    expect(pool.take("b", 1)).toBe(false);
  });

  it("has room again for what was given back", () => {
    const pool = new SharedPool(4);
    takeAll(pool, "a");
    takeAll(pool, "b");

    pool.giveBack("a", 2);

    expect(pool.heldBy("a")).toBe(0);
    expect(takeAll(pool, "b")).toBe(1);
    expect(takeAll(pool, "c")).toBe(1);
  });
});
