import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { abortUpload, listUploads, MultipartUpload, partBytesMin } from "./multipart-upload.js";
import { S3Client } from "./s3-client.js";
import { S3Server } from "./test/s3-server.js";

const type = "application/octet-stream";
const part = (bytes: number, digit: number) => Buffer.alloc(bytes, digit);
let server: S3Server;
let client: S3Client;

beforeEach(async () => {
  server = await S3Server.start();
  client = new S3Client(server.settings, { signer: server.signer, attemptsMax: 2 });
});
afterEach(async () => {
  await client.close();
  await server.stop();
});

test("an upload is an object once it is completed", async () => {
  const upload = await MultipartUpload.begin(client, "a/b", type);
  await upload.add(part(partBytesMin, 1));
  await upload.add(part(10, 2));

  expect(await client.get("a/b")).toBeUndefined();
  await upload.complete();

  const object = server.objects.get("a/b");
  expect(object?.type).toBe(type);
  expect(object?.content.equals(Buffer.concat([part(partBytesMin, 1), part(10, 2)]))).toBe(true);
  expect(await listUploads(client, "a/")).toEqual([]);
});

test("a part of an object is read alone", async () => {
  await client.put("a", Buffer.from("0123456789"), { type });

  const object = await client.get("a", { start: 2, end: 4 });

  expect(object?.bytes).toBe(3);
  expect(String(Buffer.concat(await object!.body.toArray()))).toBe("234");
});

test("an upload whose completion is refused is not an object", async () => {
  const upload = await MultipartUpload.begin(client, "a", type);
  await upload.add(part(10, 1));
  await upload.add(part(10, 2));

  await expect(upload.complete()).rejects.toMatchObject({ code: "EntityTooSmall", status: 200 });
  expect(server.objects.size).toBe(0);
});

test("a completion whose reply is lost is known by the object", async () => {
  const upload = await MultipartUpload.begin(client, "a", type);
  await upload.add(part(10, 1));
  await upload.complete();

  await upload.complete();

  server.objects.clear();
  await expect(upload.complete()).rejects.toMatchObject({ code: "NoSuchUpload" });
});

test("uploads that were left are listed and aborted, and aborting twice does no harm", async () => {
  const upload = await MultipartUpload.begin(client, "a/1", type);
  await upload.add(part(10, 1));
  await MultipartUpload.begin(client, "b/1", type);

  const [left, ...others] = await listUploads(client, "a/");

  expect(others).toEqual([]);
  expect(left).toEqual({ key: "a/1", id: expect.any(String), begunAt: expect.closeTo(Date.now(), -5) });
  await abortUpload(client, left!);
  await upload.abort();
  expect([...server.uploads.open.values()].map(({ key }) => key)).toEqual(["b/1"]);
});

test("a server of another kind is recognised", async () => {
  server.fail("garbage");

  await expect(MultipartUpload.begin(client, "a", type)).rejects.toMatchObject({ code: "bad_reply" });
});

test("an error in a reply of 200 does not quote the store", async () => {
  const quoted = `a prompt, ${"a".repeat(100_000)}`;
  const other = createServer((_request, response) => response.end(`<Error><Code>${quoted}</Code></Error>`));
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const confused = new S3Client({ ...server.settings, endpoint: `http://127.0.0.1:${port}` }, server);

  const failure: unknown = await listUploads(confused, "a/").catch((error: unknown) => error);

  await confused.close();
  other.close();
  expect(failure).toMatchObject({
    code: "bad_reply",
    message: "The endpoint of the bucket sent a reply that S3 does not send: no ListMultipartUploadsResult.",
  });
});
