import { afterEach, beforeEach, expect, test } from "vitest";
import { ManualClock } from "../domain/test/clocks.js";
import type { Webhook, WebhookEvent } from "../domain/webhook.js";
import { SecretFilter } from "../secrets/secret-filter.js";
import { createLog } from "../telemetry/log.js";
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
let clock: ManualClock;
let log: string[];
const polling = { timeout: 90_000 };

beforeEach(async () => {
  receiver = await startReceiver();
  clock = new ManualClock();
  log = [];
});
afterEach(async () => {
  await sender.close();
  await receiver.close();
});

function webhookOf({ url, secret }: Receiver): Webhook {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return { url, secret: key, events: ["budget", "target"], budgetShares: [1] };
}

function open(options: Partial<WebhookSenderOptions> = {}): Webhook {
  const webhook = webhookOf(receiver);
  sender = new WebhookSender({
    webhooks: [webhook],
    log: createLog("info", { write: (line: string) => void log.push(line) }, new SecretFilter()),
    clock,
    timeOfDay: Date.now,
    random: () => 0.5,
    secrets: new SecretFilter(),
    ...options,
  });
  return webhook;
}

const endedOf = (outcome: string) =>
  sender.snapshot().ended.find((ended) => ended.outcome === outcome)?.count ?? 0;

test("an event arrives whole, and with a signature that the receiver can verify", async () => {
  const webhook = open();

  sender.send(webhook, event);

  await expect.poll(() => endedOf("delivered"), polling).toBe(1);
  expect(receiver.events).toEqual([
    {
      path: "/hooks/path-secret?token=query-secret",
      id: expect.stringMatching(/^msg_[0-9a-f]{24}$/),
      isSigned: true,
      body: event,
    },
  ]);
  expect(sender.snapshot().pending).toBe(0);
});

test("a secret in an event is hidden", async () => {
  const webhook = open({ secrets: new SecretFilter(["sk-upstream-0123456789"]) });

  sender.send(webhook, {
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
  const webhook = open({ timeoutMs: 6000 });
  const startedAt = clock.now();

  sender.send(webhook, event, { id: "msg_1" });
  await clock.runUntil(() => endedOf("delivered") === 1);

  expect(receiver.events.map(({ id, isSigned }) => ({ id, isSigned }))).toEqual(
    Array(7).fill({ id: "msg_1", isSigned: true }),
  );
  expect(elsewhere.events).toEqual([]);
  expect(clock.now() - startedAt).toBe(1000 + 4000 + 16_000 + 64_000 + 256_000 + 600_000);
  expect(log.map((line) => JSON.parse(line)).map(({ msg, reason }) => [msg, reason])).toEqual([
    ["A webhook does not receive events.", "The receiver replied with the status 500."],
    ["A webhook receives events again.", undefined],
  ]);
  await elsewhere.close();
});

test("an event is given up after eight attempts, and the log does not contain the URL", async () => {
  receiver.manners.push(...Array(20).fill(503));
  const webhook = open();

  sender.send(webhook, event);
  await clock.runUntil(() => endedOf("failed") === 1);

  expect(receiver.events).toHaveLength(8);
  expect(sender.snapshot().pending).toBe(0);
  expect(log.at(-1)).toContain("An event was not delivered.");
  expect(log.join()).not.toMatch(/path-secret|query-secret/);
});

test("an event is given up after an hour, whatever the number of attempts", async () => {
  receiver.manners.push(...Array(20).fill("cut"));
  const slow = new ManualClock();
  const webhook = open({
    clock: { now: () => slow.now(), wait: (ms, signal) => slow.wait(ms * 100, signal) },
  });

  sender.send(webhook, event);
  await slow.runUntil(() => endedOf("failed") === 1);

  expect(receiver.events.length).toBeLessThan(8);
});

test("an event does not grow old because the time of day is set", async () => {
  receiver.manners.push(503, 503);
  let shiftMs = 0;
  const webhook = open({ timeOfDay: () => Date.now() + shiftMs });

  sender.send(webhook, event);
  shiftMs = 48 * 3_600_000;
  await clock.runUntil(() => endedOf("delivered") === 1);

  expect(receiver.events).toHaveLength(3);
});

test("a receiver that is gone for good is not called again", async () => {
  receiver.manners.push(410);
  const webhook = open();

  sender.send(webhook, event);

  await expect.poll(() => endedOf("failed"), polling).toBe(1);
  expect(receiver.events).toHaveLength(1);
});

test("a full queue drops the oldest events, counts them, and says so once", async () => {
  receiver.manners.push(...Array(50).fill("stall"));
  const webhook = open({ queueSizeMax: 10 });

  for (let number = 0; number < 40; number += 1) sender.send(webhook, event, { id: `msg_${number}` });

  expect(sender.snapshot()).toEqual({
    pending: 10,
    ended: [{ event: "target.state_changed", outcome: "dropped", count: 30 }],
  });
  expect(log.filter((line) => line.includes("The oldest are dropped."))).toHaveLength(1);
});

test("a receiver that is slower than the events come gets those in flight whole", async () => {
  receiver.manners.push(...Array(4).fill("stall"));
  const webhook = open({ queueSizeMax: 10, timeoutMs: 600_000 });
  for (let number = 0; number < 4; number += 1) sender.send(webhook, event, { id: `msg_${number}` });
  await expect.poll(() => receiver.events.length, polling).toBe(4);

  for (let number = 4; number < 10_000; number += 1) sender.send(webhook, event, { id: `msg_${number}` });
  receiver.release();

  await expect.poll(() => endedOf("delivered"), polling).toBe(10);
  expect(receiver.events.map(({ id }) => id).sort()).toEqual(
    [0, 1, 2, 3, 9994, 9995, 9996, 9997, 9998, 9999].map((number) => `msg_${number}`),
  );
  expect(sender.snapshot().pending).toBe(0);
});

test("the gateway stops without waiting for a receiver", async () => {
  receiver.manners.push("stall");
  const webhook = open({ timeoutMs: 600_000 });
  sender.send(webhook, event);
  await expect.poll(() => receiver.events.length, polling).toBe(1);

  await sender.close();

  expect(endedOf("dropped")).toBe(1);
});

test("a new configuration keeps an unchanged webhook's queue, and drops that of a removed one", async () => {
  receiver.manners.push("stall", "stall");
  const other = await startReceiver();
  const first = open();
  const second = { ...first, url: other.url };
  sender.configure([first, second]);
  const [, added] = sender.webhooks;
  other.manners.push("stall");
  sender.send(first, event);
  sender.send(added!, event);
  await expect.poll(() => receiver.events.length + other.events.length, polling).toBe(2);

  sender.configure([webhookOf(receiver)]);

  expect(sender.webhooks).toEqual([first]);
  expect(sender.snapshot()).toEqual({
    pending: 1,
    ended: [{ event: "target.state_changed", outcome: "dropped", count: 1 }],
  });
  await other.close();
});
