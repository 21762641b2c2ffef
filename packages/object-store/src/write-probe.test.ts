import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { S3Client } from "./s3-client.js";
import { type BucketSettings, S3Server, signerOf } from "./test/s3-server.js";
import { WriteProbe } from "./write-probe.js";

let now: number;
let server: S3Server;
let logged: { level: number; msg: string }[];
const clients: S3Client[] = [];

beforeEach(async () => {
  now = 0;
  logged = [];
  server = await S3Server.start();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.stop();
});

function open(settings: Partial<BucketSettings> = {}): WriteProbe {
  const changed = { ...server.settings, ...settings };
  const client = new S3Client(changed, { signer: signerOf(changed) });
  clients.push(client);
  const log = pino({ level: "info" }, { write: (line) => void logged.push(JSON.parse(line)) });
  return new WriteProbe({ client, key: "p/probe", now: () => now, log });
}
const down =
  "The bucket cannot be written. Requests for links to images and uploads of files are refused until it can.";
const messages = () => logged.map(({ msg }) => msg);

test("a success counts for fifteen seconds, and an upload prolongs it", async () => {
  const probe = open();

  await probe.check();
  now = 14_999;
  await probe.check();
  expect(server.requests).toEqual(["PUT p/probe"]);
  probe.succeeded();
  now += 14_999;
  await probe.check();
  expect(server.requests).toHaveLength(1);
  now += 1;
  await probe.check();

  expect(server.requests).toHaveLength(2);
  expect(messages()).toEqual([]);
});

test("a clock that is set back does not prolong a success", async () => {
  now = 3_600_000;
  const probe = open();
  await probe.check();

  now = 0;
  await probe.check();

  expect(server.requests).toHaveLength(2);
});

test("requests that arrive at once share one probe", async () => {
  const probe = open();

  await Promise.all(Array.from({ length: 20 }, () => probe.check()));

  expect(server.requests).toEqual(["PUT p/probe"]);
});

test("a bucket that fails is asked once a second, and is logged once", async () => {
  server.fail("forbidden");
  const probe = open();

  for (now of [0, 500, 999, 1000, 1500])
    await expect(probe.check()).rejects.toMatchObject({ code: "AccessDenied" });

  expect(server.requests).toHaveLength(2);
  expect(messages()).toEqual([down]);
  server.recover();
  now = 2000;
  await probe.check();
  expect(messages()).toEqual([down, "The bucket can be written again."]);
});

test("an upload that failed ends the trust in earlier ones", async () => {
  const probe = open();
  await probe.check();

  probe.failed(new Error("broken"));

  await expect(probe.check()).rejects.toThrow("broken");
  now = 1000;
  await probe.check();
  expect(server.requests).toHaveLength(2);
});

test("log lines hold neither the secret nor the token", async () => {
  const probe = open({ secretAccessKey: "wrong-hidden-secret", sessionToken: "hidden-token" });

  await expect(probe.check()).rejects.toThrow(
    "The bucket replied with the status 403 and the code SignatureDoesNotMatch.",
  );

  expect(JSON.stringify(logged)).toContain("SignatureDoesNotMatch");
  expect(JSON.stringify(logged)).not.toContain("hidden");
});
