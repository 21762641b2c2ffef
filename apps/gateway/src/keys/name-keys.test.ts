import { expect, test } from "vitest";
import { createNameKeys } from "./name-keys.js";

test("keys have their current names and owners, wherever they are stored", async () => {
  const asked: (readonly string[])[] = [];
  const nameKeys = createNameKeys({
    store: {
      findLabels: async (ids) => {
        asked.push(ids);
        return new Map([["key_1", { name: "nightly", owner: "Search team" }]]);
      },
    },
    others: [{ id: "config:ann", name: "ann", owner: "Ann", limits: {}, isDisabled: false }],
  });

  const labelOf = await nameKeys(["key_1", "config:ann", "key_1", "config:gone"]);
  const none = await nameKeys(["config:ann"]);

  expect(["key_1", "config:ann", "config:gone"].map(labelOf)).toEqual([
    { name: "nightly", owner: "Search team" },
    { name: "ann", owner: "Ann" },
    { name: "gone", owner: null },
  ]);
  expect(none("config:ann").name).toBe("ann");
  expect(asked).toEqual([["key_1", "config:gone"]]);
});
