import type { LookupFunction } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { S3Client, type S3ClientOptions } from "./s3-client.js";
import { type BucketSettings, S3Server, signerOf } from "./test/s3-server.js";

const type = "text/plain";
let server: S3Server;
const clients: S3Client[] = [];

beforeEach(async () => {
  server = await S3Server.start();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.stop();
});

function open(options: Partial<S3ClientOptions> = {}, settings: Partial<BucketSettings> = {}): S3Client {
  const changed = { ...server.settings, ...settings };
  const client = new S3Client(changed, { signer: signerOf(changed), ...options });
  clients.push(client);
  return client;
}
const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (failure: unknown) => failure,
  );

describe("an object", () => {
  test("is written, read, listed and deleted", async () => {
    const client = open();
    const content = Buffer.from([0, 255, 10, 13]);

    await client.put("a/b c+d~é.bin", content, { type });
    const object = await client.get("a/b c+d~é.bin");

    expect(object?.bytes).toBe(4);
    expect(await buffer(object!.body)).toEqual(content);
    expect(await client.list("a/", 10)).toEqual(["a/b c+d~é.bin"]);
    await client.delete("a/b c+d~é.bin");
    expect(await client.get("a/b c+d~é.bin")).toBeUndefined();
    await client.delete("a/b c+d~é.bin");
  });

  test("of many megabytes passes no faster than its reader", async () => {
    const client = open();
    const content = Buffer.alloc(30_000_000, "image");
    await client.put("large", content, { type });

    const object = await client.get("large");
    object!.body.read(0);
    await expect.poll(() => object!.body.readableLength).toBeGreaterThan(0);
    const buffered = object!.body.readableLength;

    expect(buffered).toBeLessThan(1_000_000);
    expect((await buffer(object!.body)).equals(content)).toBe(true);
  });

  test("is found in a bucket that is addressed by its host", async () => {
    await server.stop();
    server = await S3Server.start({ addressing: "virtual-hosted" });
    const hosts: string[] = [];
    const lookup: LookupFunction = (host, _options, callback) => {
      hosts.push(host);
      callback(null, [{ address: "127.0.0.1", family: 4 }]);
    };
    const client = open(
      { lookup },
      { endpoint: server.settings.endpoint.replace("127.0.0.1", "s3.example") },
    );

    await client.put("a", Buffer.from("1"), { type });

    expect(hosts).toEqual(["gateway-test.s3.example"]);
    expect([...server.objects.keys()]).toEqual(["a"]);
    expect(await client.list("", 10)).toEqual(["a"]);
  });
});

test("a list begins with the first keys in order, and is as long as asked for", async () => {
  const client = open();
  for (const key of ["b/2", "b/1", "a/3", "c/0", "b/3"]) await client.put(key, Buffer.from(""), { type });

  expect(await client.list("b/", 2)).toEqual(["b/1", "b/2"]);
});

describe("a transient failure", () => {
  test.each(["slow-down", "cut"] as const)("%s is retried", async (fault) => {
    server.fail(fault, { times: 2 });

    await open().put("a", Buffer.from("1"), { type });

    expect(server.requests).toEqual(["PUT a", "PUT a", "PUT a"]);
    expect(server.objects.get("a")?.content).toEqual(Buffer.from("1"));
  });

  test("is given up after three attempts", async () => {
    server.fail("slow-down");

    const failure = await settled(open().get("a"));

    expect(failure).toMatchObject({ name: "S3Error", code: "SlowDown", status: 503, isTransient: true });
    expect(server.requests).toHaveLength(3);
  });

  test("of a server that never replies ends with the time limit", async () => {
    server.fail("stall");

    // Long enough for each attempt to arrive.
    const failure = await settled(open({ timeoutMs: 1500, attemptsMax: 2 }).delete("a"));

    expect(failure).toMatchObject({ code: "timed_out", message: "The bucket did not reply within 1500 ms." });
    expect(server.requests).toEqual(["DELETE a", "DELETE a"]);
  });

  test("of a refused connection names it", async () => {
    await server.stop();

    const failure = await settled(open({ attemptsMax: 1 }).list("", 1));

    expect(failure).toMatchObject({
      code: "ECONNREFUSED",
      message: "The connection to the bucket failed with ECONNREFUSED.",
    });
  });
});

describe("a permanent failure is not retried", () => {
  const cases: [string, Partial<BucketSettings>, string][] = [
    ["a wrong secret", { secretAccessKey: "a wrong but very secret key" }, "SignatureDoesNotMatch"],
    ["an unknown access key", { accessKeyId: "UNKNOWN" }, "InvalidAccessKeyId"],
    ["another region", { region: "elsewhere-1" }, "AuthorizationHeaderMalformed"],
    ["an unknown bucket", { bucket: "another-bucket" }, "NoSuchBucket"],
  ];
  test.each(cases)("%s", async (_name, settings, code) => {
    const client = open({}, settings);

    const failures = [
      await settled(client.put("a", Buffer.from("1"), { type })),
      await settled(client.get("a")),
      await settled(client.list("", 1)),
    ];

    expect(failures).toEqual(failures.map(() => expect.objectContaining({ name: "S3Error", code })));
    expect(server.requests).toHaveLength(3);
    for (const failure of failures) expect(`${(failure as Error).stack}`).not.toContain("very secret");
  });

  test.each(["put", "list"] as const)("a %s that another kind of server accepts", async (operation) => {
    server.fail("garbage");
    const client = open();

    const failure = await settled(
      operation === "put" ? client.put("a", Buffer.from("1"), { type }) : client.list("", 1),
    );

    expect(failure).toMatchObject({ code: "bad_reply", isTransient: false });
    expect(server.requests).toHaveLength(1);
  });
});

test("an object that is cut off fails its reader", async () => {
  const client = open();
  await client.put("a", Buffer.alloc(1_000_000), { type });
  server.fail("cut");

  const object = await client.get("a");

  expect(object?.bytes).toBe(1_000_000);
  await expect(buffer(object!.body)).rejects.toThrow();
});

test("credentials that the store no longer takes are given up, and each request is sent once more", async () => {
  const { settings } = server;
  const expired = signerOf({ ...settings, accessKeyId: "EXPIRED" });
  const refused: string[] = [];
  const client = open({
    signer: {
      current: (signal) => (refused.length === 0 ? expired : server.signer).current(signal),
      giveUp: (authorization) => refused.push(authorization) > 0,
    },
  });

  await Promise.all(["a", "b", "c"].map((key) => client.put(key, Buffer.from("1"), { type })));

  expect([...server.objects.keys()].sort()).toEqual(["a", "b", "c"]);
  expect(server.requests.length).toBe(3 + refused.length);
  for (const authorization of refused) expect(authorization).toContain(" Credential=EXPIRED/");
});

test("without credentials nothing is sent, and the reason is the cause", async () => {
  const cause = new Error("The issuer is down.");
  const signer = { current: () => Promise.reject(cause), giveUp: () => false };

  expect(await settled(open({ attemptsMax: 1, signer }).list("", 1))).toMatchObject({
    code: "no_credentials",
    message: "The gateway could not get credentials for the bucket.",
    cause,
  });
  expect(server.requests).toEqual([]);
});

test("temporary credentials are sent and signed", async () => {
  await open({}, { sessionToken: "temporary" }).put("a", Buffer.from("1"), { type });

  expect(server.objects.has("a")).toBe(true);
});
