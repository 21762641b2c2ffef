import { text } from "node:stream/consumers";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createObjectName, ExpiringObjects, parseObjectName } from "./expiring-objects.js";
import { S3Client } from "./s3-client.js";
import { S3Server } from "./test/s3-server.js";
import { WriteProbe } from "./write-probe.js";

const hourMs = 3_600_000;
const start = Date.parse("2026-11-16T08:30:00Z");
let now: number;
let server: S3Server;
let client: S3Client;
let objects: ExpiringObjects;

beforeEach(async () => {
  now = start;
  server = await S3Server.start();
  client = new S3Client(server.settings, server);
  objects = open();
});
afterEach(async () => {
  await client.close();
  await server.stop();
});

function open(pageKeys?: number): ExpiringObjects {
  const log = pino({ level: "silent" });
  const probe = new WriteProbe({ client, key: "probe", now: () => now, log });
  return new ExpiringObjects({
    client,
    probe,
    folder: "p/images",
    now: () => now,
    ...(pageKeys !== undefined && { pageKeys }),
  });
}

async function put(expiresAt: number): Promise<string> {
  const name = createObjectName({ expiresAt, mark: 0, extension: "png" });
  await objects.put(name, Buffer.from("image"), { type: "image/png" });
  return name;
}
const storedNames = () => [...server.objects.keys()].map((key) => key.slice(key.lastIndexOf("/") + 1));

test("a key has the hour of the expiry, and a name the second", async () => {
  const name = await put(start + hourMs);

  const seconds = (start + hourMs) / 1000;
  expect([...server.objects.keys()]).toEqual([`p/images/2026-11-16T09/${name}`]);
  expect(name).toMatch(new RegExp(`^${seconds.toString(16)}0[0-9a-f]{23}\\.png$`));
  expect(parseObjectName(name)).toEqual({ expiresAt: start + hourMs, mark: 0, extension: "png" });
  expect(await text((await objects.get(name))!.body)).toBe("image");
});

test("an expiry beyond a name's range is the last one in it", () => {
  const name = createObjectName({ expiresAt: 1e15, mark: 1, extension: "webp" });

  expect(parseObjectName(name)).toEqual({ expiresAt: 0xffff_ffff * 1000, mark: 1, extension: "webp" });
});

test("a list begins with the next to expire", async () => {
  const expiries = [5, 1, 90, 3, 61, 2, 24 * 60].map((minutes) => start + minutes * 60_000);
  for (const expiresAt of expiries) await put(expiresAt);

  const listed = await client.list("p/images/", 10);

  const listedExpiries = listed.map((key) => parseObjectName(key.split("/").at(-1) ?? "")?.expiresAt);
  expect(listedExpiries).toEqual(expiries.sort((left, right) => left - right));
});

test("a sweep deletes expired objects with one list, and nothing else", async () => {
  await put(start + 60_000);
  const young = await put(start + 60_001);
  server.objects.set("p/images/notes.txt", { content: Buffer.from("mine"), type: "text/plain" });
  server.objects.set(`other/images/2026-11-16T08/${young}`, { content: Buffer.from("theirs"), type: "" });
  now = start + 60_000;
  server.requests.length = 0;

  await objects.sweep();

  expect(server.requests).toEqual(["GET ", expect.stringMatching(/^DELETE p\/images\/2026-11-16T08\//)]);
  expect(storedNames().sort()).toEqual([young, young, "notes.txt"].sort());
});

test("a sweep works through several lists, and stops at a bound that the next one goes on from", async () => {
  objects = open(2);
  for (let count = 0; count < 25; count += 1) await put(start);

  await objects.sweep();
  expect(storedNames()).toHaveLength(5);
  await objects.sweep();

  expect(storedNames()).toEqual([]);
});

test("replicas may sweep at once", async () => {
  const young = await put(start + 1000);
  for (let count = 0; count < 20; count += 1) await put(start);

  await Promise.all([open().sweep(), open().sweep(), open().sweep()]);

  expect(storedNames()).toEqual([young]);
});

test.each([
  "",
  "..",
  "../images/a.png",
  `${"a".repeat(32)}.bmp`,
  `${"A".repeat(32)}.png`,
  `${"a".repeat(32)}.png/`,
])("%j is not a name, and is never requested", async (name) => {
  expect(parseObjectName(name)).toBeUndefined();
  await expect(objects.get(name)).rejects.toThrow("This is not the name of an object.");
  expect(server.requests).toEqual([]);
});
