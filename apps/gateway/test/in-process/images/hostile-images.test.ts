import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startGateway(`
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
  local: { provider: local }
models:
  remote: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
  sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] }`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

test("200 random, truncated and exploding images and masks are refused before an upstream is called", async () => {
  const good = await sharp({
    create: { width: 40, height: 40, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } },
  })
    .png()
    .toBuffer();
  const formats = await Promise.all([good, sharp(good).jpeg().toBuffer(), sharp(good).webp().toBuffer()]);
  const hostile = [
    ...Array.from({ length: 80 }, (_, index) => noise(index, 1 + ((index * 37) % 3000))),
    // Random bytes after the first bytes of an image.
    ...Array.from({ length: 60 }, (_, index) =>
      Buffer.concat([(formats[index % 3] ?? good).subarray(0, 12 + (index % 30)), noise(index, 200)]),
    ),
    ...Array.from({ length: 57 }, (_, index) => truncated(formats[index % 3] ?? good, index)),
    bomb(50_000, 50_000),
    bomb(0x7fffffff, 0x7fffffff),
    bomb(0, 0),
  ];
  const statuses: number[] = [];
  for (const [index, content] of hostile.entries()) {
    const model = index % 2 === 0 ? "remote" : "sketch";
    statuses.push(await edit(model, { image: content }), await edit(model, { image: good, mask: content }));
  }

  expect(hostile).toHaveLength(200);
  expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  expect(upstream.received).toEqual([]);
  expect(await edit("remote", { image: good, mask: good })).toBe(200);
  await expect.poll(gateway.spooled, { timeout: 90_000 }).toEqual([]);
});

test("a PNG with gigabytes of compressed text is refused, and nothing is unpacked", async () => {
  const text = pngChunk("zTXt", Buffer.concat([Buffer.from("a\0\0"), deflateSync(Buffer.alloc(50_000_000))]));
  const good = await sharp({ create: { width: 40, height: 40, channels: 3, background: "#123456" } })
    .png()
    .toBuffer();
  const texts = Array.from({ length: 40 }, () => text);
  const before = Buffer.concat([good.subarray(0, 33), ...texts, good.subarray(33)]);
  const after = Buffer.concat([good.subarray(0, -12), ...texts, good.subarray(-12)]);

  expect([await edit("remote", { image: before }), await edit("sketch", { image: before })]).toEqual([
    400, 400,
  ]);
  // A sketch is the only edit for which the gateway itself decodes the image.
  expect([await edit("remote", { image: after }), await edit("sketch", { image: after })]).toEqual([
    200, 400,
  ]);
});

async function edit(model: string, files: { image: Buffer; mask?: Buffer }): Promise<number> {
  const form = new FormData();
  form.append("model", model);
  form.append("prompt", "a fox");
  for (const [name, content] of Object.entries(files))
    form.append(name, new Blob([new Uint8Array(content)]), "upload");
  const response = await gateway.send("/v1/images/edits", { method: "POST", body: form });
  await response.arrayBuffer();
  return response.status;
}

/** Random bytes, the same in every run. */
function noise(seed: number, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, block) =>
    createHash("sha512").update(`${seed} ${block}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

function truncated(content: Buffer, seed: number): Buffer {
  const kept = 12 + Math.floor(((content.length - 30) * (seed + 1)) / 60);
  return content.subarray(0, Math.min(kept, content.length - 14));
}

/** A PNG of a few bytes whose header declares a huge size, or none. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(Buffer.alloc(1000))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
