import { beforeEach, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import type { NewDelivery } from "../../webhooks/delivery-store.js";
import { addDeliveries, DatabaseDeliveryStore } from "./delivery-store.js";

describeDatabaseOfTier("stored deliveries", ({ database }) => {
  let now = 0;
  let store: DatabaseDeliveryStore;
  beforeEach(() => {
    now = 1_000_000;
    store = new DatabaseDeliveryStore(database(), { now: () => now });
  });

  test("are added once each, and claimed as they were, until they end", async () => {
    const delivery = deliveryOf("a", "fast");
    await add(delivery);
    await add(delivery);

    const claimed = await store.claim("me");
    expect(claimed).toEqual({ ...delivery, id: "a:fast", attempts: 1 });
    expect(await store.claim("me")).toBeUndefined();
    await store.end("a:fast", "another");
    await store.delay("a:fast", "me", now + 10);
    expect(await store.recover()).toBe(0);
    now += 10;
    expect(await store.recover()).toBe(1);
    expect(await store.claim("me")).toMatchObject({ attempts: 2 });
    await store.end("a:fast", "me");
    now += 1e9;
    expect([await store.recover(), await store.claim("me")]).toEqual([0, undefined]);
  });

  test("receivers take turns", async () => {
    await add(...["1", "2", "3"].map((id) => deliveryOf(id, "slow")));
    await add({ ...deliveryOf("4", "fast"), createdAt: 6 });

    const turns = [await store.claim("me"), await store.claim("me"), await store.claim("me")];

    expect(turns.map((one) => one?.messageId)).toEqual(["1", "4", "2"]);
  });

  function deliveryOf(messageId: string, webhook: string): NewDelivery {
    return { messageId, webhook, type: "job.completed", body: "{}", createdAt: 5 };
  }

  async function add(...deliveries: readonly NewDelivery[]): Promise<void> {
    await database()
      .kysely.transaction()
      .execute((transaction) => addDeliveries(transaction, deliveries));
  }
});
