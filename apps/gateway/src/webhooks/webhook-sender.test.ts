import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { Webhook, WebhookEvent } from "@model-gateway/domain/webhook";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../telemetry/log.js";
import { Deliveries, planDeliveries } from "./deliveries.js";
import type { DeliveryStore } from "./delivery-store.js";
import { type Receiver, startReceiver } from "./test/receiver.js";
import { WebhookSender, type WebhookSenderOptions } from "./webhook-sender.js";

const event: WebhookEvent = {
  type: "target.state_changed",
  timestamp: "2026-11-16T12:00:00.000Z",
  data: {
    upstream: "openai",
    model: "small",
    state: "open",
    previous_state: "healthy",
    error_code: "upstream_timeout",
    error_message: "The upstream did not reply within 60 s.",
    pause_ms: 5000,
    unhealthy_ms: 0,
    worker: 1,
  },
};

let receiver: Receiver;
let sender: WebhookSender;
let deliveries: Deliveries;
let clock: ManualClock;
let log: string[];
const polling = { timeout: 90_000 };

beforeEach(async () => {
  receiver = await startReceiver();
  clock = new ManualClock();
  log = [];
});
afterEach(async () => {
  await deliveries.close();
  await sender.close();
  await receiver.close();
});

function webhookOf({ url, secret }: Receiver): Webhook {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return { url, secret: key, events: ["budget", "target"], budgetShares: [1] };
}

/** Without a database, so all deliveries are in memory. */
function open(options: Partial<WebhookSenderOptions> = {}, used: Pick<ManualClock, "now" | "wait"> = clock) {
  sender = new WebhookSender({
    webhooks: [webhookOf(receiver)],
    log: createLog("info", { write: (line: string) => void log.push(line) }, new SecretFilter()),
    timeOfDay: Date.now,
    secrets: new SecretFilter(),
    ...options,
  });
  deliveries = new Deliveries({
    store: { add: () => Promise.reject(new Error("down")) } as unknown as DeliveryStore,
    sender,
    clock: used,
    now: () => used.now(),
    random: () => 0.5,
    onFailure: () => undefined,
  });
}

async function send(sent: WebhookEvent = event, id = "msg_1", waitingMax = 1000): Promise<void> {
  const eventsFor = () => [{ id, event: sent }];
  await deliveries.send(planDeliveries({ sender, kind: "target", eventsFor, at: clock.now(), waitingMax }));
}

const endedOf = (outcome: string) =>
  deliveries.snapshot().ended.find((ended) => ended.outcome === outcome)?.count ?? 0;

test("an event arrives whole, and with a signature that the receiver can verify", async () => {
  open();

  await send();

  await expect.poll(() => endedOf("delivered"), polling).toBe(1);
  expect(receiver.events).toEqual([
    {
      path: "/hooks/path-secret?token=query-secret",
      id: "msg_1",
      isSigned: true,
      body: event,
    },
  ]);
  expect(deliveries.snapshot().pending).toBe(0);
});

test("a secret in an event is hidden", async () => {
  open({ secrets: new SecretFilter(["sk-upstream-0123456789"]) });

  await send({
    ...event,
    data: { ...event.data, error_message: "The key sk-upstream-0123456789 is wrong." },
  } as WebhookEvent);

  await expect.poll(() => endedOf("delivered"), polling).toBe(1);
  expect(receiver.events[0]?.body.data).toMatchObject({ error_message: "The key (redacted) is wrong." });
});

test("a receiver that fails, redirects, cuts, talks nonsense and stalls gets the event in the end, with the same id", async () => {
  const elsewhere = await startReceiver();
  receiver.manners.push(
    500,
    { redirectTo: elsewhere.url },
    "cut",
    "garbage",
    "huge-headers",
    "stall",
    "endless-body",
  );
  // Only the receiver that stalls takes as long.
  open({ timeoutMs: 6000 });
  const startedAt = clock.now();

  await send();
  await clock.runUntil(() => endedOf("delivered") === 1);

  expect(receiver.events.map(({ id, isSigned }) => ({ id, isSigned }))).toEqual(
    Array(7).fill({ id: "msg_1", isSigned: true }),
  );
  expect(elsewhere.events).toEqual([]);
  expect(clock.now() - startedAt).toBeGreaterThan(1000 + 4000 + 16_000 + 64_000 + 256_000 + 600_000);
  expect(log.map((line) => JSON.parse(line)).map(({ msg, reason }) => [msg, reason])).toEqual([
    ["A webhook does not receive events.", "The receiver replied with the status 500."],
    ["A webhook receives events again.", undefined],
  ]);
  await elsewhere.close();
});

test("an event is given up after eight attempts, and the log does not contain the URL", async () => {
  receiver.manners.push(...Array(20).fill(503));
  open();

  await send();
  await clock.runUntil(() => endedOf("failed") === 1);

  expect(receiver.events).toHaveLength(8);
  expect(deliveries.snapshot().pending).toBe(0);
  expect(log.at(-1)).toContain("An event was not delivered.");
  expect(log.join()).not.toMatch(/path-secret|query-secret/);
});

test("an event is given up after a day, whatever the number of attempts", async () => {
  receiver.manners.push(...Array(20).fill("cut"));
  const slow = new ManualClock();
  open({}, { now: () => slow.now(), wait: (ms, signal) => slow.wait(ms * 100_000, signal) });

  await send();
  await slow.runUntil(() => endedOf("failed") === 1);

  expect(receiver.events.length).toBeLessThan(8);
});

test("a receiver that is gone for good is not called again", async () => {
  receiver.manners.push(410);
  open();

  await send();

  await expect.poll(() => endedOf("failed"), polling).toBe(1);
  expect(receiver.events).toHaveLength(1);
});

test("a full queue drops the oldest events, counts them, and says so once", async () => {
  receiver.manners.push(...Array(50).fill("stall"));
  open();

  for (let number = 0; number < 40; number += 1) await send(event, `msg_${number}`, 10);
  await expect.poll(() => receiver.events.length, polling).toBe(8);

  const dropped = endedOf("dropped");
  expect(deliveries.snapshot().pending).toBe(40 - dropped);
  expect(dropped).toBeGreaterThanOrEqual(22);
  expect(log.filter((line) => line.includes("The oldest are dropped."))).toHaveLength(1);
});

test("a receiver that is slower than the events come gets those in flight whole", async () => {
  receiver.manners.push(...Array(8).fill("stall"));
  open({ timeoutMs: 600_000 });
  for (let number = 0; number < 8; number += 1) await send(event, `msg_${number}`, 10);
  await expect.poll(() => receiver.events.length, polling).toBe(8);

  for (let number = 8; number < 10_000; number += 1) await send(event, `msg_${number}`, 10);
  receiver.release();

  await expect.poll(() => endedOf("delivered"), polling).toBe(18);
  expect(receiver.events.map(({ id }) => id).sort()).toEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999]
      .map((number) => `msg_${number}`)
      .sort(),
  );
  expect(deliveries.snapshot().pending).toBe(0);
});

test("the gateway stops without waiting for a receiver", async () => {
  receiver.manners.push("stall");
  open({ timeoutMs: 600_000 });
  await send();
  await expect.poll(() => receiver.events.length, polling).toBe(1);

  await deliveries.close();

  expect(endedOf("dropped")).toBe(1);
});

test("an event for a webhook that a new configuration does not have is given up in the end", async () => {
  open();
  const [webhook] = sender.webhooks;
  await send();
  await expect.poll(() => endedOf("delivered"), polling).toBe(1);
  const eventsFor = () => [{ id: "msg_2", event }];
  const planned = planDeliveries({ sender, kind: "target", eventsFor, at: clock.now() });

  sender.configure([webhookOf(receiver)]);
  expect(sender.webhooks[0]).toBe(webhook);
  sender.configure([]);
  await deliveries.send(planned);
  await clock.runUntil(() => endedOf("failed") === 1);

  expect(receiver.events).toHaveLength(1);
});
