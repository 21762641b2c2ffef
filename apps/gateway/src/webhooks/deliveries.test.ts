import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { Webhook } from "@model-gateway/domain/webhook";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../telemetry/log.js";
import { attemptsMax, Deliveries, planDeliveries } from "./deliveries.js";
import type { DeliveryStore, NewDelivery, StoredDelivery } from "./delivery-store.js";
import { type Receiver, startReceiver } from "./test/receiver.js";
import { WebhookSender } from "./webhook-sender.js";

const event = {
  type: "job.completed",
  timestamp: "2026-11-18T01:00:00.000Z",
  data: { id: "job_1" },
} as never;
let receiver: Receiver;
let sender: WebhookSender;
let deliveries: Deliveries;
let queued: StoredDelivery[];
/** The outcome of each delivery: its end, or the time of its next attempt. */
let outcomes: ("ended" | number)[];
let log: string[];
/** Whether the database is away. */
let isDown: boolean;
let failures: unknown[];
/** Called when an attempt has ended, before its outcome is stored. */
let onAttempted: () => unknown;

beforeEach(async () => {
  receiver = await startReceiver();
  const key = Buffer.from(receiver.secret.replace("whsec_", ""), "base64");
  const webhook: Webhook = { url: receiver.url, secret: key, events: ["job"], budgetShares: [] };
  log = [];
  onAttempted = () => undefined;
  [queued, outcomes, failures, isDown] = [[], [], [], false];
  sender = new WebhookSender({
    webhooks: [webhook, { ...webhook, url: "http://127.0.0.1:9/", events: ["batch"] }],
    log: createLog("info", { write: (line: string) => void log.push(line) }, new SecretFilter()),
    timeOfDay: Date.now,
    secrets: new SecretFilter(),
  });
  const store: DeliveryStore = {
    add: async (added: readonly NewDelivery[]) => {
      if (isDown) throw new Error("down");
      queued.push(...added.map((one) => ({ ...one, id: one.messageId, attempts: 1 })));
      return [];
    },
    inspect: async () => ({ hasQueued: queued.length > 0, hasAbandoned: false }),
    claim: async () => queued.shift(),
    renew: async () => undefined,
    recover: async () => 0,
    end: async () => void outcomes.push("ended"),
    delay: async (_id, _holder, until) => void outcomes.push(until),
  };
  deliveries = new Deliveries({
    store,
    sender: {
      webhooks: sender.webhooks,
      ended: [],
      noteOverflow: () => undefined,
      attempt: async (...delivery) => {
        const failure = await sender.attempt(...delivery);
        onAttempted();
        return failure;
      },
      noteEnd: (...end) => sender.noteEnd(...end),
    },
    clock: {
      now: () => 0,
      wait: (_ms, signal) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
    },
    now: () => 1000,
    random: () => 0.5,
    onFailure: (failure) => failures.push(failure),
  });
});
afterEach(async () => {
  await deliveries.close();
  await sender.close();
  await receiver.close();
});

test("an event is planned for the webhooks that want its kind, and sent with its id and a signature", async () => {
  const planned = plan();

  begin({});
  await expect.poll(() => outcomes).toEqual(["ended"]);

  expect(planned).toHaveLength(1);
  expect(planned[0]?.webhook).toMatch(/^[0-9a-f]{32}$/);
  expect(receiver.events).toMatchObject([{ id: "msg_1", isSigned: true, body: { type: "job.completed" } }]);
  expect(sender.ended).toEqual([{ event: "job.completed", outcome: "delivered", count: 1 }]);
});

test("an attempt that fails is repeated later, and the last one ends it", async () => {
  receiver.manners.push(500, 500, 500);

  begin({ attempts: 1 }, { attempts: 3 }, { attempts: attemptsMax });
  await expect.poll(() => outcomes).toHaveLength(3);

  expect(outcomes.toSorted()).toEqual([17_000, 2000, "ended"]);
  expect(sender.ended).toEqual([{ event: "job.completed", outcome: "failed", count: 1 }]);
  expect(log.filter((line) => line.includes("does not receive events"))).toHaveLength(1);
});

test("an event whose last attempt did not end is given up", async () => {
  begin({ attempts: attemptsMax + 1 });
  await expect.poll(() => outcomes).toEqual(["ended"]);

  expect(receiver.events).toEqual([]);
  expect(sender.ended).toEqual([{ event: "job.completed", outcome: "failed", count: 1 }]);
});

test("while the database is away, an event is sent from memory, and not again when it is back", async () => {
  isDown = true;
  deliveries.start();

  await deliveries.send(plan());
  await expect.poll(() => receiver.events.length).toBe(1);
  isDown = false;
  await deliveries.send(plan().map((one) => ({ ...one, messageId: "msg_2" })));
  await expect.poll(() => outcomes).toEqual(["ended"]);

  expect(receiver.events.map(({ id }) => id)).toEqual(["msg_1", "msg_2"]);
  expect(failures).toEqual([new Error("down")]);
  expect(deliveries.snapshot().pending).toBe(0);
});

test("an event that must not be sent by two replicas is refused while the database is away", async () => {
  isDown = true;

  await expect(deliveries.add(plan())).rejects.toThrow("down");
  expect(receiver.events).toEqual([]);
});

test.each([
  ["a receiver that is gone", 410, {}],
  ["a job that is deleted by now", 500, { createdAt: 1000 - 25 * 3_600_000 }],
])("%s gets no further attempt", async (_name, status, fields) => {
  receiver.manners.push(status);

  begin(fields);

  await expect.poll(() => outcomes).toEqual(["ended"]);
});

test("a webhook that this configuration does not have is looked for again", async () => {
  begin({ webhook: "unknown" });

  await expect.poll(() => outcomes).toEqual([2000]);
  expect(receiver.events).toEqual([]);
});

test("closing gives up an attempt, and the next process repeats it", async () => {
  receiver.manners.push("stall");
  begin({});
  await expect.poll(() => receiver.events).toHaveLength(1);

  await deliveries.close();

  expect(outcomes).toEqual([1000]);
});

test("an event that arrived while the gateway began to stop is not sent again", async () => {
  let closed: Promise<void> | undefined;
  onAttempted = () => {
    closed = deliveries.close();
  };

  begin({});
  await expect.poll(() => outcomes).toHaveLength(1);
  await closed;

  expect(receiver.events).toHaveLength(1);
  expect(outcomes).toEqual(["ended"]);
});

function plan() {
  return planDeliveries({ sender, kind: "job", at: 900, eventsFor: () => [{ id: "msg_1", event }] });
}

/** Starts with these deliveries. */
function begin(...given: readonly Partial<StoredDelivery>[]): void {
  const [planned] = plan();
  if (planned === undefined) throw new Error("No webhook wants the event.");
  queued = given.map((fields, index) => ({ ...planned, id: String(index), attempts: 1, ...fields }));
  deliveries.start();
}
