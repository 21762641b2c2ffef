import { blocksMax } from "@model-gateway/domain/image-blocks";
import type { RasterFormat } from "@model-gateway/domain/image-profile";
import fc from "fast-check";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { findManifests } from "./find-manifests.js";
import { UncheckedManifest } from "./manifest-fault.js";
import { buildStore, createSigner, embed, pngChunk, type Signer } from "./test/sign-image.js";

const formats = ["png", "jpeg", "webp"] as const;
let signer: Signer;
beforeAll(async () => {
  signer = await createSigner();
});

function paint(format: RasterFormat): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .toFormat(format)
    .toBuffer();
}

/** Finds manifests, and counts the reads that it takes. */
async function find(format: RasterFormat, content: Buffer) {
  let reads = 0;
  const found = await findManifests(format, content.length, (position, length) => {
    reads += 1;
    return content.subarray(position, position + length);
  });
  return { found, reads };
}

describe.each(formats)("a %s", (format) => {
  test("without a manifest has none", async () => {
    const { found } = await find(format, await paint(format));

    expect(found).toEqual([]);
  });

  test.each([0, 200_000])("with a thumbnail of %i bytes gives back its store", async (thumbnailBytes) => {
    const store = buildStore(signer, { format, thumbnailBytes });
    const { file, start, length } = embed(await paint(format), store, format);

    const { found } = await find(format, file);

    const [manifest] = found;
    expect(found).toHaveLength(1);
    expect(manifest?.blocks[0]?.start).toBe(start);
    expect(manifest?.blocks.at(-1)?.end).toBe(start + length);
    expect(manifest?.blocks).toHaveLength(format === "jpeg" && thumbnailBytes > 0 ? 4 : 1);
    const parts = manifest?.parts.map((part) => file.subarray(part.start, part.end)) ?? [];
    expect(Buffer.concat(parts).equals(store)).toBe(true);
  });

  test("truncated anywhere is read to its end, and a store that is cut off does not count", async () => {
    const { file, start, length } = embed(await paint(format), buildStore(signer, { format }), format);

    for (let bytes = 0; bytes < file.length; bytes += 7) {
      const { found } = await find(format, file.subarray(0, bytes));
      expect(found.length, `${bytes}`).toBe(bytes >= start + length ? 1 : 0);
    }
  });
});

test("two stores are both found", async () => {
  const store = buildStore(signer, { format: "png" });
  const { file } = embed(embed(await paint("png"), store, "png").file, store, "png");

  expect((await find("png", file)).found).toHaveLength(2);
});

test("a store after the pixels of a png is found", async () => {
  const image = await paint("png");
  const end = image.length - 12;
  const file = Buffer.concat([
    image.subarray(0, end),
    pngChunk("caBX", Buffer.alloc(3)),
    image.subarray(end),
  ]);

  expect((await find("png", file)).found).toHaveLength(1);
});

test("a png whose blocks never end takes a bounded number of reads", async () => {
  const blocks = Array(blocksMax).fill(pngChunk("teXt", Buffer.alloc(0)));
  const file = Buffer.concat([(await paint("png")).subarray(0, 33), ...blocks]);

  await expect(find("png", file)).rejects.toThrow(UncheckedManifest);
  expect((await find("png", file.subarray(0, 12 * 5000))).reads).toBeLessThan(5001);
});

test.each([
  ["png", Buffer.from("ffffffff63614258", "hex")],
  ["webp", Buffer.from("43325041ffffffff", "hex")],
  ["webp", Buffer.from("4332504100000000", "hex")],
  ["jpeg", Buffer.from("ffeb0000ffeb0001", "hex")],
  ["jpeg", Buffer.from("ffffffffffffffff", "hex")],
] as const)("a %s with the odd lengths %o ends", async (format, block) => {
  const start = { png: 8, jpeg: 2, webp: 12 }[format];
  const file = Buffer.concat([(await paint(format)).subarray(0, start), block, Buffer.alloc(40)]);

  const { reads } = await find(format, file);

  expect(reads).toBeLessThan(60);
});

test.each(formats)("any bytes of a %s are read in one direction, to their end at most", async (format) => {
  const { file } = embed(await paint(format), buildStore(signer, { format, thumbnailBytes: 2000 }), format);
  const marks = fc.constantFrom(
    "caBX",
    "IDAT",
    "C2PA",
    "\xff\xeb",
    "\xff\xff",
    "\0\0\0\0",
    "\xff\xff\xff\xff",
  );
  const place = fc.integer({ min: 2, max: file.length - 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(place, marks), { maxLength: 20 }), place, async (changes, length) => {
      const changed = Buffer.from(file.subarray(0, length));
      for (const [at, mark] of changes) changed.write(mark, at % length, "latin1");
      const positions: number[] = [];

      await findManifests(format, changed.length, (position, bytes) => {
        positions.push(position);
        return changed.subarray(position, position + bytes);
      });

      expect(positions).toEqual([...new Set(positions)].sort((left, right) => left - right));
      expect(positions.every((position) => position < changed.length)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("other JUMBF boxes of a jpeg, and segments out of order, are not a store", async () => {
  const { file } = embed(
    await paint("jpeg"),
    buildStore(signer, { format: "jpeg", thumbnailBytes: 70_000 }),
    "jpeg",
  );
  const other = Buffer.from(file);
  other.write("cbor", 2 + 28, "latin1");
  const late = Buffer.from(file);
  late.writeUInt32BE(7, 2 + 8);

  expect((await find("jpeg", other)).found).toEqual([]);
  expect((await find("jpeg", late)).found).toEqual([]);
});
