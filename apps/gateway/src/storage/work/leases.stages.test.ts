import { beforeEach, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import { Leases } from "./leases.js";

describeDatabaseOfTier("leases by name", ({ database, open }) => {
  let now = 0;
  let leases: Leases;
  const mine = { name: "duty", holder: "me" };
  const theirs = { name: "duty", holder: "them" };
  beforeEach(() => {
    now = 1_000_000;
    leases = new Leases(database(), { now: () => now });
  });
  const rows = () => database().kysely.selectFrom("leases").select("name").execute();

  test("of many that want one at once, one has it", async () => {
    const other = new Leases(await open(), { now: () => now });

    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? leases : other).take({ name: "duty", holder: `${index}` }, { until: now + 100 }),
      ),
    );

    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await leases.take({ name: "another duty", holder: "20" }, { until: now + 100 })).toBe(true);
  });

  test("a lease ends by itself unless its holder renews it, and the holder may take it again", async () => {
    await leases.take(mine, { until: now + 100 });
    await leases.renew(theirs, { until: now + 900 });
    now += 99;
    expect(await leases.take(theirs, { until: now + 100 })).toBe(false);
    expect(await leases.take(mine, { until: now + 100 })).toBe(true);
    await leases.renew(mine, { until: now + 200 });
    now += 199;
    expect(await leases.take(theirs, { until: now + 100 })).toBe(false);
    now += 1;

    expect(await leases.take(theirs, { until: now + 100 })).toBe(true);
    await leases.renew(mine, { until: now + 900 });
    expect(await leases.find("duty")).toEqual({
      holder: "them",
      until: now + 100,
      isReleased: false,
      note: null,
    });
  });

  test("only its holder releases a lease, and a late renewal does not bring it back", async () => {
    await leases.take(mine, { until: now + 100 });
    await leases.release(theirs);
    expect(await leases.take(theirs, { until: now + 100 })).toBe(false);
    await leases.release(mine);
    await leases.renew(mine, { until: now + 100 });

    expect(await leases.find("duty")).toBeUndefined();
    expect(await leases.take(theirs, { until: now + 100 })).toBe(true);
  });

  test("the lease of a holder that died may stay taken for longer than it lasts", async () => {
    await leases.take(mine, { until: now + 100, freeAt: now + 500, note: "request" });
    now += 499;
    expect(await leases.take(theirs, { until: now + 100 })).toBe(false);
    expect(await leases.find("duty")).toMatchObject({ holder: "me", until: now - 399, note: "request" });
    now += 1;

    expect(await leases.take(theirs, { until: now + 100 })).toBe(true);
  });

  test("a note is left for those that waited, and the lease is free", async () => {
    await leases.take(mine, { until: now + 100 });
    await leases.releaseWith(mine, { until: now + 50, note: "It failed." });

    expect(await leases.find("duty")).toEqual({
      holder: "me",
      until: now + 50,
      isReleased: true,
      note: "It failed.",
    });
    expect(await leases.take(theirs, { until: now + 100 })).toBe(true);
  });

  test("a sweep removes what has ended and is free", async () => {
    await leases.take({ ...mine, name: "live" }, { until: now + 200 });
    await leases.take({ ...mine, name: "dead" }, { until: now + 100 });
    await leases.take({ ...mine, name: "lost" }, { until: now + 100, freeAt: now + 500 });
    await leases.take({ ...mine, name: "noted" }, { until: now + 500 });
    await leases.releaseWith({ ...mine, name: "noted" }, { until: now + 101, note: "It failed." });
    now += 100;

    await leases.sweep();

    expect((await rows()).map(({ name }) => name).sort()).toEqual(["live", "lost", "noted"]);
  });
});
