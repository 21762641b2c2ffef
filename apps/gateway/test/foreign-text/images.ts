import { deflateSync } from "node:zlib";
import { decodeCbor } from "@model-gateway/content-credentials/cbor";
import { checkManifest } from "@model-gateway/content-credentials/check-manifest";
import { labelImage } from "@model-gateway/content-credentials/label-image";
import { ManifestBudget } from "@model-gateway/content-credentials/manifest-budget";
import { UncheckedManifest } from "@model-gateway/content-credentials/manifest-fault";
import { encodeCbor } from "@model-gateway/content-credentials/test/encode-cbor";
import { hostileStores } from "@model-gateway/content-credentials/test/hostile-stores";
import { buildStore, embed, pngChunk } from "@model-gateway/content-credentials/test/sign-image";
import { TooManyBlocksError } from "@model-gateway/domain/image-blocks";
import { findDecodingRisk, recogniseFormat } from "@model-gateway/domain/image-header";
import { imageInMemory } from "@model-gateway/domain/image-input";
import { isOpaquePng } from "@model-gateway/domain/png-opacity";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { expect } from "vitest";
import { walkGif } from "../../src/images/delivery/inspect-gif.js";
import { inspectImage } from "../../src/images/delivery/inspect-image.js";
import { walkSvg } from "../../src/images/delivery/inspect-svg.js";
import { gif, jpeg, png, signed, signer, webp } from "./image-samples.js";
import type { Parser } from "./parser.js";
import { filled, megabyte, type Shapes } from "./shapes.js";

const jpegStart = Buffer.from([0xff, 0xd8]);
const gifStart = Buffer.from("GIF89a\x01\0\x01\0\0\0\0", "latin1");
/** One megabyte of a vector is read in some milliseconds, so these have several. */
const bytes = 5 * megabyte;
const repeated = (unit: Uint8Array, before: Uint8Array, after: Uint8Array = Buffer.alloc(0)): Buffer => {
  const times = Math.floor((bytes - before.length - after.length) / unit.length);
  return Buffer.concat([before, Buffer.alloc(times * unit.length, unit), after]);
};
const svg = (unit: string): Buffer => filled(unit, { before: "<svg>", after: "</svg>", bytes });

/** Opaque pixels, one in each row. 30 MB of them are some kilobytes of a file. */
function narrowPng(height: number): Buffer {
  const rows = Buffer.alloc(height * 5, Buffer.from([0, 255, 255, 255, 255]));
  const header = Buffer.from(png.subarray(16, 29));
  header.writeUInt32BE(1, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    png.subarray(0, 8),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

const label = { provider: "a & b", model: "c", createdAt: new Date(0), id: "d" };

const blocks: Shapes = {
  "chunks before the pixels": () =>
    repeated(pngChunk("tEXt", Buffer.alloc(0)), png.subarray(0, 33), png.subarray(33)),
  "chunks after the pixels": () =>
    repeated(pngChunk("tEXt", Buffer.alloc(0)), png.subarray(0, -12), png.subarray(-12)),
  "pieces of pixels": () =>
    repeated(pngChunk("IDAT", Buffer.alloc(0)), png.subarray(0, 33), png.subarray(33)),
  manifests: () => repeated(pngChunk("caBX", Buffer.alloc(0)), png.subarray(0, 33), png.subarray(33)),
};

export const imageParsers: readonly Parser[] = [
  {
    name: "the header and the manifest of an image",
    read: async (bytes) => {
      const format = recogniseFormat(bytes) ?? "png";
      const image = imageInMemory(bytes, format);
      const metadata = await inspectImage(image).catch(unlessTooMany);
      const labelled = metadata && labelImage(bytes, metadata, label);
      return {
        metadata,
        risk: await findDecodingRisk(bytes),
        manifest: await checkManifest(image),
        labelled:
          labelled &&
          (await inspectImage(imageInMemory(Buffer.concat(labelled), format)).catch(unlessTooMany)),
      };
    },
    check: (_bytes, value) => {
      const { metadata, labelled } = value as { readonly metadata: unknown; readonly labelled: unknown };
      if (labelled !== undefined) expect(labelled).toEqual(metadata);
    },
    shapes: {
      ...blocks,
      "bytes that fill up": () => repeated(Buffer.from([0xff]), jpegStart),
      "empty segments": () => repeated(Buffer.from([0xff, 0xe1, 0, 2]), jpegStart),
      "chunks of a WebP": () =>
        repeated(Buffer.from("EXIF\0\0\0\0"), Buffer.from("RIFF\xff\xff\x0f\0WEBPVP8X\0\0\0\0", "latin1")),
      ...Object.fromEntries(
        hostileStores().map(([name, make]) => [name, () => embed(png, make(), "png").file]),
      ),
    },
    samples: [png, jpeg, webp, ...signed],
    kind: "image",
    refusals: [],
  },
  {
    name: "an image of an upstream",
    read: (bytes) => inSlices<unknown>(bytes[0] === 0x47 ? walkGif(bytes) : walkSvg(bytes), new TimeSlice()),
    shapes: {
      elements: () => svg("<a/>"),
      attributes: () => svg(`<a ${"b='' ".repeat(1000)}/>`),
      "attributes of one element": () => filled(" b=''", { before: "<svg", after: "></svg>", bytes }),
      comments: () => svg("<!---->"),
      "dashes in a comment": () => filled("-", { before: "<svg><!--", after: "--></svg>", bytes }),
      "elements in elements": () => svg("<a>".repeat(999) + "</a>".repeat(999)),
      "spaces in a tag": () => filled(" ", { before: "<svg", after: "></svg>", bytes }),
      "empty blocks": () => repeated(Buffer.from([0x21, 0xff, 0]), gifStart),
      frames: () => repeated(Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]), gifStart),
    },
    samples: ['<svg viewBox="0 0 1 1"><a b="c"/></svg>', gif],
    kind: "image",
    refusals: [Error],
  },
  {
    name: "values of a manifest",
    read: (bytes) => decodeCbor(bytes, new ManifestBudget()),
    shapes: {
      "empty pieces": () => repeated(Buffer.from([0x40]), Buffer.from([0x5f])),
      "lists in lists": () => repeated(Buffer.from([0x9f]), Buffer.from([0x9f])),
      tags: () => repeated(Buffer.from([0xc0]), Buffer.from([0xc0])),
      numbers: () => repeated(Buffer.from([0]), Buffer.from([0x9f])),
    },
    samples: [
      encodeCbor({ a: [1, -2, "b", Buffer.from([3]), { c: null }], d: true }),
      Buffer.from("bf61610161629f0203ff", "hex"),
      buildStore(signer, { format: "png" }),
    ],
    kind: "image",
    refusals: [Error, UncheckedManifest],
  },
  {
    name: "the pixels of a PNG",
    // Its header is checked before.
    read: (bytes) => (bytes.length < 33 ? undefined : isOpaquePng(bytes)),
    shapes: {
      ...blocks,
      "rows of one pixel": () => narrowPng(6_000_000),
    },
    samples: [png],
    kind: "image",
    refusals: [],
  },
];

/** An image with too many blocks is refused where its header is read. */
function unlessTooMany(failure: unknown): undefined {
  if (!(failure instanceof TooManyBlocksError)) throw failure;
}
