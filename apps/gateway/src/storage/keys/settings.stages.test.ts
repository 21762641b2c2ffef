import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import { createSettings } from "./settings.js";

describeDatabaseOfTier("settings", ({ database, open }) => {
  test("a value is created once and stays", async () => {
    const settings = createSettings(database());

    const first = await settings.getOrCreate("secret", () => "one");
    const second = await settings.getOrCreate("secret", () => expect.fail("It was created twice."));
    const other = await settings.getOrCreate("other", () => "two");

    expect(first).toEqual({ value: "one", isNew: true });
    expect(second).toEqual({ value: "one", isNew: false });
    expect(other).toEqual({ value: "two", isNew: true });
  });

  test("of concurrent replicas, one creates the value for all", async () => {
    const replicas = [createSettings(database()), createSettings(await open()), createSettings(await open())];

    const settled = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        replicas[index % 3]!.getOrCreate("secret", () => `created by ${index}`),
      ),
    );

    expect(settled.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(settled.map(({ value }) => value)).size).toBe(1);
  });
});
