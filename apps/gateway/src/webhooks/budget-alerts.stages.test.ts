import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { Webhook } from "@model-gateway/domain/webhook";
import { EpochClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../test/servers/describe-databases.js";
import { budgetPeriod } from "../limits/account.js";
import type { BudgetSpending } from "../limits/budgets.js";
import type { Database } from "../storage/database/open-database.js";
import { DatabaseDeliveryStore } from "../storage/webhooks/delivery-store.js";
import { createLog } from "../telemetry/log.js";
import { leaseMs } from "../work/leased-work.js";
import { BudgetAlerts } from "./budget-alerts.js";
import { Deliveries } from "./deliveries.js";
import { type Receiver, startReceiver } from "./test/receiver.js";
import { WebhookSender } from "./webhook-sender.js";

const polling = { timeout: 90_000 };

describeDatabaseOfTier("budget alerts", ({ database, open }) => {
  const clock = new EpochClock("2036-11-15T12:00:00Z");

  const spendingOf = (usd: number, more: Partial<BudgetSpending> = {}): BudgetSpending => ({
    keyId: "key_1",
    keyName: "search",
    budget: { usd: 10, per: "day" },
    period: budgetPeriod("day", clock.now()),
    spentNanos: usd * 1e9,
    limitNanos: 10e9,
    ...more,
  });

  /** A replica that sends events to a receiver. It looks for those of others when it is told to. */
  function openReplica(on: Database, { url }: Pick<Receiver, "url">) {
    const webhook: Webhook = {
      url,
      secret: Buffer.alloc(32),
      events: ["budget"],
      budgetShares: [0.5, 0.8, 1],
    };
    const failures: unknown[] = [];
    const log = createLog("info", { write: () => undefined }, new SecretFilter());
    const sender = new WebhookSender({
      webhooks: [webhook, { ...webhook, url: "http://127.0.0.1:9/", events: ["target"] }],
      log,
      timeOfDay: clock.now,
      secrets: new SecretFilter(),
    });
    let look = () => {};
    const store = new DatabaseDeliveryStore(on, { now: clock.now });
    const deliveries = new Deliveries({
      store,
      sender,
      clock: {
        now: clock.now,
        wait: (_ms, signal) =>
          new Promise((resolve) => {
            look = resolve;
            signal.addEventListener("abort", () => resolve());
          }),
      },
      now: clock.now,
      random: () => 0.5,
      onFailure: (failure) => failures.push(failure),
    });
    const adding: Promise<void>[] = [];
    let isDown = false;
    const alerts = new BudgetAlerts({
      sender,
      deliveries: {
        add: (planned) => {
          const added = isDown ? Promise.reject(new Error("unavailable")) : deliveries.add(planned);
          adding.push(added.catch(() => undefined));
          return added;
        },
      },
      now: clock.now,
      onFailure: (failure) => failures.push(failure),
    });
    deliveries.start();
    return {
      alerts,
      failures,
      look: () => look(),
      settled: () => Promise.all(adding),
      setDown: (down: boolean) => {
        isDown = down;
      },
      delivered: () => sender.ended.reduce((sum, { count }) => sum + count, 0),
      close: async () => {
        await deliveries.close();
        await sender.close();
      },
    };
  }

  async function withReceiver(use: (receiver: Receiver) => Promise<void>): Promise<void> {
    const receiver = await startReceiver();
    try {
      await use(receiver);
    } finally {
      await receiver.close();
    }
  }

  const sharesOf = ({ events }: Receiver) => events.map(({ body }) => body.data.share).sort();

  test("each share is sent once, to the webhooks that want to know", () =>
    withReceiver(async (receiver) => {
      const { alerts, delivered, close } = openReplica(database(), receiver);

      for (const usd of [1, 4.99, 5, 5.5, 7.9]) alerts.note(spendingOf(usd));
      await expect.poll(delivered, polling).toBe(1);
      expect(sharesOf(receiver)).toEqual([0.5]);
      for (const usd of [11, 12, 13]) alerts.note(spendingOf(usd));
      await expect.poll(delivered, polling).toBe(3);
      await close();

      expect(sharesOf(receiver)).toEqual([0.5, 0.8, 1]);
      expect(receiver.events[0]?.body).toEqual({
        type: "budget.share_reached",
        timestamp: "2036-11-15T12:00:00.000Z",
        data: {
          key_id: "key_1",
          key_name: "search",
          share: 0.5,
          budget: { usd: 10, per: "day" },
          spent_usd: 5,
          remaining_usd: 5,
          resets_at: Date.UTC(2036, 10, 16) / 1000,
        },
      });
    }));

  test("of several replicas one sends it, and none sends it again after a restart", () =>
    withReceiver(async (receiver) => {
      const other = await open();
      const replicas = [database(), other, database(), other].map((on) => openReplica(on, receiver));

      for (const { alerts } of replicas) alerts.note(spendingOf(6));
      for (const { settled } of replicas) await settled();
      await expect.poll(() => receiver.events.length, polling).toBe(1);
      for (const { close } of replicas) await close();
      const restarted = openReplica(database(), receiver);
      restarted.alerts.note(spendingOf(6.1));
      await restarted.settled();
      await restarted.close();

      expect(sharesOf(receiver)).toEqual([0.5]);
      expect(replicas.flatMap(({ failures }) => failures)).toEqual([]);
    }));

  test("the next period and a changed budget are sent again, and past ones are removed", () =>
    withReceiver(async (receiver) => {
      const { alerts, delivered, close } = openReplica(database(), receiver);
      const note = async (...given: Parameters<typeof spendingOf>) => {
        const before = delivered();
        alerts.note(spendingOf(...given));
        await expect.poll(delivered, polling).toBe(before + 1);
      };

      await note(6);
      await note(6, { budget: { usd: 12, per: "day" }, limitNanos: 12e9 });
      clock.advance(86_400_000);
      await note(6);
      clock.advance(2 * 86_400_000);
      await note(6);
      await close();

      expect(sharesOf(receiver)).toEqual([0.5, 0.5, 0.5, 0.5]);
      const rows = await database().kysely.selectFrom("webhook_messages").select("id").execute();
      expect(rows.map(({ id }) => id.split(":")[0])).toEqual([receiver.events[3]?.id]);
    }));

  test("an alert whose replica dies during the delivery is sent by another, with the same id", () =>
    withReceiver(async (receiver) => {
      receiver.manners.push("stall");
      const [killed, other] = [openReplica(database(), receiver), openReplica(await open(), receiver)];

      killed.alerts.note(spendingOf(6));
      await expect.poll(() => receiver.events.length, polling).toBe(1);
      other.alerts.note(spendingOf(6));
      await other.settled();
      other.look();
      clock.advance(leaseMs);
      await expect
        .poll(() => {
          other.look();
          return other.delivered();
        }, polling)
        .toBe(1);
      await killed.close();
      await other.close();

      expect(sharesOf(receiver)).toEqual([0.5, 0.5]);
      expect(receiver.events[0]?.id).toBe(receiver.events[1]?.id);
    }));

  test("while the database is down, an alert waits until it is back", () =>
    withReceiver(async (receiver) => {
      const { alerts, delivered, settled, failures, setDown, close } = openReplica(database(), receiver);

      setDown(true);
      alerts.note(spendingOf(6));
      await settled();
      setDown(false);
      alerts.note(spendingOf(6.1));
      await settled();
      const early = receiver.events.length;
      clock.advance(60_000);
      alerts.note(spendingOf(6.2));
      await expect.poll(delivered, polling).toBe(1);
      await close();

      expect(early).toBe(0);
      expect(failures).toEqual([new Error("unavailable")]);
      expect(sharesOf(receiver)).toEqual([0.5]);
    }));
});
