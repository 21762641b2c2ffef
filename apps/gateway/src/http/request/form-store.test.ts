import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { GatewayError } from "@model-gateway/domain/errors";
import { pooledBytes } from "@model-gateway/runtime/buffer-pool";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FormResources, FormStore } from "./form-store.js";
import { type Upload, uploadedImage } from "./upload.js";
import { UploadMemory } from "./upload-memory.js";

let uploadDir: string;
let descriptors: number;

beforeEach(() => {
  uploadDir = mkdtempSync(join(tmpdir(), "uploads-"));
  descriptors = 0;
});
afterEach(() => rmSync(uploadDir, { recursive: true, force: true }));

function resourcesWith(memoryBytes: number, more: Partial<FormResources> = {}): FormResources {
  return {
    uploadDir,
    uploads: new UploadMemory(memoryBytes),
    disk: { checkRoom: () => undefined },
    descriptors: {
      reserveFiles: (count) => {
        descriptors += count;
        return {
          release: () => {
            descriptors -= count;
          },
        };
      },
    },
    ...more,
  };
}

/** Bytes that begin like a PNG, and differ at every place. */
function sample(bytes: number): Buffer {
  const content = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 1) content[at] = (at * 31 + (at >> 8)) % 256;
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(content);
  return content;
}

/** A file that arrives in chunks of 60,000 bytes. Each has separate memory, as socket chunks have. */
function arriving(content: Buffer): Readable {
  const chunks: Buffer[] = [];
  for (let at = 0; at < content.length; at += 60_000)
    chunks.push(Buffer.from(Uint8Array.from(content.subarray(at, at + 60_000)).buffer));
  return Readable.from(chunks, { objectMode: false, highWaterMark: 60_000 });
}

function imageOf(upload: Upload) {
  const image = uploadedImage(upload);
  if (image === undefined) throw new Error("The upload is not an image.");
  return image;
}

describe.each([
  { where: "in memory", memoryBytes: 16 * pooledBytes, files: 0 },
  { where: "partly on disk", memoryBytes: 2 * pooledBytes, files: 2 },
  { where: "on disk", memoryBytes: 1, files: 2 },
])("two files $where", ({ memoryBytes, files }) => {
  const contents = [sample(3_000_000), sample(1_500_000)];

  test("are read again and again, as a whole, in chunks and in parts", async () => {
    const resources = resourcesWith(memoryBytes);
    const store = new FormStore(4_600_000, resources);
    const images = [];
    for (const content of contents) images.push(imageOf(await store.keep(arriving(content))));

    for (const [index, image] of images.entries()) {
      const content = contents[index] ?? Buffer.alloc(0);
      expect(image.bytes).toBe(content.length);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect((await image.read()).equals(content)).toBe(true);
        expect(Buffer.concat(await image.stream().toArray()).equals(content)).toBe(true);
      }
      const ranges = [
        [0, 33],
        [4090, 100],
        [pooledBytes - 50, 100],
        [content.length - 65_536, 65_536],
        [content.length - 10, 100],
      ] as const;
      const parts = await image.inspect(async (read) => {
        const found: Buffer[] = [];
        for (const [position, length] of ranges) found.push(await read(position, length));
        return found;
      });
      for (const [number, [position, length]] of ranges.entries())
        expect(parts[number]?.equals(content.subarray(position, position + length))).toBe(true);
    }
    expect(readdirSync(uploadDir, { recursive: true })).toHaveLength(files === 0 ? 0 : files + 1);

    await store.release();

    expect(readdirSync(uploadDir)).toEqual([]);
    expect(resources.uploads.bytesInUse).toBe(0);
    expect(descriptors).toBe(0);
  });

  test("are gone after a release while the second still arrives", async () => {
    const resources = resourcesWith(memoryBytes);
    const store = new FormStore(4_600_000, resources);
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = contents;
    const image = imageOf(await store.keep(arriving(first)));
    const source = new PassThrough();
    const kept = store.keep(source);
    kept.catch(() => undefined);
    source.write(second.subarray(0, 700_000));

    await store.release();
    source.end(second.subarray(700_000));

    await kept.catch(() => undefined);
    expect(readdirSync(uploadDir)).toEqual([]);
    expect(resources.uploads.bytesInUse).toBe(0);
    expect(descriptors).toBe(0);
    await expect(image.read()).rejects.toThrow();
  });

  test("are gone after their caller has left", async () => {
    const resources = resourcesWith(memoryBytes);
    const store = new FormStore(4_600_000, resources);
    const source = new PassThrough();
    const kept = store.keep(source);
    source.write(contents[0]?.subarray(0, 700_000));

    source.destroy();

    await expect(kept).rejects.toThrow();
    await store.release();
    expect(readdirSync(uploadDir)).toEqual([]);
    expect(resources.uploads.bytesInUse).toBe(0);
    expect(descriptors).toBe(0);
  });
});

test("a form that fits in memory asks nothing of the disk", async () => {
  const full = new GatewayError("storage_full", "The disk is full.");
  const resources = resourcesWith(pooledBytes, {
    uploadDir: join(uploadDir, "none"),
    disk: {
      checkRoom: () => {
        throw full;
      },
    },
  });
  const store = new FormStore(100_000, resources);

  const upload = await store.keep(arriving(sample(99_000)));

  expect(upload.path).toBeUndefined();
  expect(() => new FormStore(2 * pooledBytes, resources)).toThrow(full);
  // Without a length, it is known only when the memory is used up.
  const endless = new FormStore(undefined, resources);
  await expect(endless.keep(arriving(sample(3_000_000)))).rejects.toThrow(full);
  await Promise.all([store.release(), endless.release()]);
  expect(resources.uploads.bytesInUse).toBe(0);
  expect(existsSync(join(uploadDir, "none"))).toBe(false);
});
