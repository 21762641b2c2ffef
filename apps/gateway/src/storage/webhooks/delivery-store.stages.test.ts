import { beforeEach, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import type { NewDelivery } from "../../webhooks/delivery-store.js";
import { addDeliveries, DatabaseDeliveryStore } from "./delivery-store.js";

describeDatabaseOfTier("stored deliveries", ({ database, open }) => {
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

  test("an event that is to be sent once is added once, even after it has ended, until its time is over", async () => {
    const other = new DatabaseDeliveryStore(await open(), { now: () => now });
    const delivery = { ...deliveryOf("a", "fast"), onceUntil: 1000 };

    await Promise.all([store.add([delivery]), other.add([delivery])]);
    expect(await store.claim("me")).toMatchObject({ messageId: "a" });
    expect(await other.claim("me")).toBeUndefined();
    await store.end("a:fast", "me");
    await other.add([delivery, deliveryOf("b", "fast")]);
    expect(await store.claim("me")).toMatchObject({ messageId: "b" });
    expect(await store.claim("me")).toBeUndefined();
    await other.add([{ ...delivery, createdAt: 1000 }]);

    expect(await store.claim("me")).toMatchObject({ messageId: "a" });
  });

  test("of bounded events, the latest wait, and those that are being sent stay", async () => {
    const bounded = (id: number): NewDelivery => ({
      ...deliveryOf(String(id), "slow"),
      type: "target.state_changed",
      createdAt: id,
      waitingMax: 3,
    });
    await store.add([bounded(1)]);
    await store.claim("me");
    await store.add([{ ...deliveryOf("job", "slow"), createdAt: 1 }]);

    const dropped = [await store.add([2, 3, 4].map(bounded)), await store.add([5, 6].map(bounded))];

    expect(dropped.map((ones) => ones.length)).toEqual([0, 2]);
    const rows = await database().kysely.selectFrom("webhook_deliveries").select("message_id").execute();
    expect(rows.map(({ message_id }) => message_id).sort()).toEqual(["1", "4", "5", "6", "job"]);
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
