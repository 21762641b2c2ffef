import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { S3Server } from "@model-gateway/object-store/test/s3-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltGateway, startBuiltGateway } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";

const mb = 1024 * 1024;
const fileBytes = 200 * mb;
const growthBytesMax = 64 * mb;
const noModels = "upstreams: {}\nmodels: {}\n";
let gateway: BuiltGateway;

beforeAll(async () => {
  gateway = await startBuiltGateway(noModels);
});
afterAll(() => gateway.stop());

/** Pieces of a file that differ, so that a piece in the wrong place is found. */
function* pieces(bytes: number): Generator<Buffer> {
  for (let at = 0; at < bytes; at += mb) {
    const piece = Buffer.alloc(Math.min(mb, bytes - at), "0123456789abcde\n");
    piece.writeUInt32BE(at / mb);
    yield piece;
  }
}

test("a file of 200 MB goes up and down, and memory grows by less than 64 MB", async () => {
  // The first upload loads code, which is not counted.
  await upload(gateway, pieces(mb));
  const before = peakBytes(gateway.pid);
  const sent = createHash("sha256");
  for (const piece of pieces(fileBytes)) sent.update(piece);

  const { status, body } = await upload(gateway, pieces(fileBytes));
  const received = createHash("sha256");
  const response = await gateway.send(`/v1/files/${body.id}/content`);
  for await (const chunk of response.body ?? []) received.update(chunk);

  expect(status).toBe(200);
  expect(body).toMatchObject({ bytes: fileBytes, filename: "large.jsonl" });
  expect(received.digest("hex")).toBe(sent.digest("hex"));
  expect(peakBytes(gateway.pid) - before).toBeLessThan(growthBytesMax);
});

test("the same with a bucket", async () => {
  const bucket = await S3Server.start();
  const { endpoint, bucket: name, region, prefix, accessKeyId, secretAccessKey } = bucket.settings;
  const images = { store: "s3", endpoint, bucket: name, region, prefix, accessKeyId, secretAccessKey };
  const linkSecret = "a secret of more than 32 letters, shared";
  const other = await startBuiltGateway(`images: ${JSON.stringify({ ...images, linkSecret })}\n${noModels}`);
  try {
    await upload(other, pieces(6 * mb));
    const before = peakBytes(other.pid);

    const { body } = await upload(other, pieces(60 * mb));
    const response = await other.send(`/v1/files/${body.id}/content`, {
      headers: { range: "bytes=31457280-31457283" },
    });

    expect(body.bytes).toBe(60 * mb);
    expect(Buffer.from(await response.arrayBuffer()).readUInt32BE()).toBe(30);
    expect(peakBytes(other.pid) - before).toBeLessThan(growthBytesMax);
    expect((await other.send(`/v1/files/${body.id}`, { method: "DELETE" })).status).toBe(200);
    expect([...bucket.objects.keys()].filter((key) => key.includes(body.id))).toEqual([]);
    expect(bucket.uploads.open.size).toBe(0);
  } finally {
    await other.stop();
    await bucket.stop();
  }
});

test("a caller that leaves in the middle leaves no bytes", async () => {
  const stored = () => readdirSync(join(gateway.dataDir, "files")).filter((name) => name.endsWith(".part"));
  const leaving = new AbortController();
  async function* slowly() {
    yield* pieces(20 * mb);
    await expect.poll(stored).toHaveLength(1);
    leaving.abort();
    await new Promise(() => undefined);
  }

  await expect(upload(gateway, slowly(), leaving.signal)).rejects.toThrow();

  await expect.poll(stored).toEqual([]);
});

interface Uploaded {
  readonly status: number | undefined;
  readonly body: { readonly id: string; readonly bytes: number };
}

/** Sends a form piece by piece, without a length. */
function upload(
  { url }: Pick<BuiltGateway, "url">,
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
  signal?: AbortSignal,
): Promise<Uploaded> {
  const boundary = "a-boundary";
  const part = (name: string, end = "") =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${end}\r\n\r\n`;
  async function* form() {
    yield `${part("purpose")}batch\r\n${part("file", '; filename="large.jsonl"')}`;
    yield* content;
    yield `\r\n--${boundary}--\r\n`;
  }
  return new Promise((resolve, reject) => {
    const sending = request(`${url}/v1/files`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${testKey}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
      ...(signal && { signal }),
    });
    sending.on("error", reject).on("response", async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, body: JSON.parse(String(Buffer.concat(chunks))) });
    });
    Readable.from(form()).on("error", reject).pipe(sending);
  });
}

/** Only Linux reports another process's peak. */
function peakBytes(pid: number): number {
  if (!existsSync("/proc/self/status")) return 0;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}
