import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../test/servers/describe-databases.js";
import { EpochClock } from "../domain/test/clocks.js";
import type { Webhook, WebhookEvent } from "../domain/webhook.js";
import { budgetPeriod } from "../limits/account.js";
import type { BudgetSpending } from "../limits/budgets.js";
import { createAlertStore } from "../storage/alerts/alert-store.js";
import { type AlertStore, BudgetAlerts } from "./budget-alerts.js";
import type { SendOptions } from "./webhook-sender.js";

const webhook: Webhook = {
  url: "https://hooks.example/one",
  secret: Buffer.alloc(32),
  events: ["budget"],
  budgetShares: [0.5, 0.8, 1],
};
const polling = { timeout: 90_000 };

interface Sent {
  readonly event: WebhookEvent;
  readonly options: SendOptions;
}

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

  /** A replica whose deliveries succeed at once, unless it is about to be killed. */
  function openReplica(store: AlertStore, { isKilled = false } = {}) {
    const sent: Sent[] = [];
    const failures: unknown[] = [];
    const confirming: Promise<void>[] = [];
    let claims = 0;
    const alerts = new BudgetAlerts({
      sender: {
        webhooks: [webhook, { ...webhook, url: "https://hooks.example/two", events: ["target"] }],
        send: (_webhook, event, options = {}) => {
          sent.push({ event, options });
          if (!isKilled) options.onDelivered?.();
        },
      },
      store: {
        claim: (id, times) => {
          claims += 1;
          return store.claim(id, times).finally(() => {
            claims -= 1;
          });
        },
        confirm: (id) => {
          const confirmed = store.confirm(id);
          confirming.push(confirmed);
          return confirmed;
        },
      },
      now: clock.now,
      onFailure: (failure) => failures.push(failure),
    });
    const settled = async () => {
      await expect.poll(() => claims, polling).toBe(0);
      await Promise.all(confirming);
    };
    return { alerts, sent, failures, settled };
  }
  const sharesOf = (sent: readonly Sent[]) =>
    sent.flatMap(({ event }) => ("share" in event.data ? [event.data.share] : [])).sort();

  test("each share is sent once, to the webhooks that want to know", async () => {
    const { alerts, sent, settled } = openReplica(createAlertStore(database(), clock));

    for (const usd of [1, 4.99, 5, 5.5, 7.9]) alerts.note(spendingOf(usd));
    await settled();
    expect(sharesOf(sent)).toEqual([0.5]);
    for (const usd of [11, 12, 13]) alerts.note(spendingOf(usd));
    await settled();

    expect(sharesOf(sent)).toEqual([0.5, 0.8, 1]);
    expect(sent[0]?.event).toEqual({
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
  });

  test("of several replicas one sends it, and none sends it again after a restart", async () => {
    const stores = [createAlertStore(database(), clock), createAlertStore(await open(), clock)];
    const replicas = stores.flatMap((store) => [openReplica(store), openReplica(store)]);

    for (const { alerts } of replicas) alerts.note(spendingOf(6));
    for (const { settled } of replicas) await settled();
    const restarted = openReplica(stores[0]!);
    restarted.alerts.note(spendingOf(6.1));
    await restarted.settled();

    expect(replicas.flatMap(({ sent }) => sharesOf(sent))).toEqual([0.5]);
    expect(restarted.sent).toEqual([]);
  });

  test("the next period and a changed budget are sent again, and past ones are removed", async () => {
    const store = createAlertStore(database(), clock);
    const { alerts, sent, settled } = openReplica(store);

    alerts.note(spendingOf(6));
    await settled();
    alerts.note(spendingOf(6, { budget: { usd: 12, per: "day" }, limitNanos: 12e9 }));
    await settled();
    clock.advance(86_400_000);
    alerts.note(spendingOf(6));
    await settled();
    clock.advance(2 * 86_400_000);
    alerts.note(spendingOf(6));
    await settled();

    expect(sharesOf(sent)).toEqual([0.5, 0.5, 0.5, 0.5]);
    const rows = await database().kysely.selectFrom("budget_alerts").select("id").execute();
    expect(rows.map(({ id }) => id)).toEqual([sent[3]?.options.id]);
  });

  test("an alert whose replica died is sent by another when the lease has ended, with the same id", async () => {
    const store = createAlertStore(database(), clock);
    const [killed, other] = [openReplica(store, { isKilled: true }), openReplica(store)];

    killed.alerts.note(spendingOf(6));
    await killed.settled();
    other.alerts.note(spendingOf(6));
    await other.settled();
    const meanwhile = other.sent.length;
    clock.advance(62 * 60_000);
    other.alerts.note(spendingOf(6.2));
    await other.settled();

    expect(meanwhile).toBe(0);
    expect(sharesOf(other.sent)).toEqual([0.5]);
    expect(other.sent[0]?.options.id).toBe(killed.sent[0]?.options.id);
  });

  test("while the database is down, an alert waits until it is back", async () => {
    const real = createAlertStore(database(), clock);
    let isDown = true;
    const { alerts, sent, failures, settled } = openReplica({
      ...real,
      claim: (id, times) => (isDown ? Promise.reject(new Error("unavailable")) : real.claim(id, times)),
    });

    alerts.note(spendingOf(6));
    await settled();
    isDown = false;
    alerts.note(spendingOf(6.1));
    await settled();
    const early = sent.length;
    clock.advance(60_000);
    alerts.note(spendingOf(6.2));
    await settled();

    expect(early).toBe(0);
    expect(failures).toEqual([new Error("unavailable")]);
    expect(sharesOf(sent)).toEqual([0.5]);
  });
});
