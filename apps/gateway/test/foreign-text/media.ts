import { deflateSync } from "node:zlib";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { expect } from "vitest";
import { type MediaMeasure, measureMedia, recogniseMedia } from "../../src/embeddings/media/measure-media.js";
import { flac, mp3, mp4, ogg, packedPdf, pdf, wav, webm } from "../sample-media.js";
import type { Parser } from "./parser.js";
import { filled, megabyte } from "./shapes.js";

const bytes = 5 * megabyte;
/** The head of a file, and then the same bytes again and again. */
const repeated = (unit: Uint8Array, head: Buffer): Buffer =>
  Buffer.concat([head, Buffer.alloc(Math.floor((bytes - head.length) / unit.length) * unit.length, unit)]);
const pdfOf = (unit: string, after = "trailer << /Root 1 0 R >>"): Buffer =>
  filled(unit, { before: "%PDF-1.4\n1 0 obj\n<< /Pages 2 0 R >>\nendobj\n", after, bytes });
const packed = (content: Buffer): string =>
  `9 0 obj\n<</Type/ObjStm/N 9999/First 9/Filter/FlateDecode>>\nstream\n${deflateSync(content).toString("latin1")}\nendstream\nendobj\n`;
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

async function read(file: Buffer): Promise<MediaMeasure | undefined> {
  const format = recogniseMedia(file.subarray(0, 1024));
  return format && inSlices(measureMedia(file, format), new TimeSlice());
}

/** A measure is an amount that a limit can be compared with. */
function check(_file: Buffer, value: unknown): void {
  const { amount = 1 } = (value ?? {}) as Partial<MediaMeasure>;
  expect(amount).toBeGreaterThan(0);
  expect(amount).toBeLessThan(Number.POSITIVE_INFINITY);
}

export const mediaParsers: readonly Parser[] = [
  {
    name: "a PDF",
    read,
    check,
    shapes: {
      objects: () => pdfOf("7 0 obj<<>>endobj\n"),
      "objects of other numbers": () => {
        const objects = Array.from({ length: 300_000 }, (_, index) => `${index} 0 obj<<>>`);
        return latin1(`%PDF-1.4\n${objects.join("\n")}\n/Root 1 0 R`);
      },
      "the word for an object": () => pdfOf("obj "),
      "a node of very many kids": () =>
        latin1(
          `%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[${"3 0 R ".repeat(800_000)}]>>endobj /Root 1 0 R`,
        ),
      "nodes that lead to each other": () => {
        const nodes = Array.from({ length: 50_000 }, (_, index) => {
          const kids = `${index + 3} 0 R ${index + 4} 0 R ${index + 1} 0 R`;
          return `${index + 2} 0 obj<</Type/Pages/Kids[${kids}]>>endobj`;
        });
        return latin1(`%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj\n${nodes.join("\n")}\n/Root 1 0 R`);
      },
      "streams that inflate to very much": () => pdfOf(packed(Buffer.alloc(8 * megabyte, "1 "))),
      "a single stream that does": () =>
        latin1(`%PDF-1.5\n${packed(Buffer.alloc(200 * megabyte))}/Root 1 0 R`),
      "streams that cannot be inflated": () => pdfOf("9 0 obj<</Type/ObjStm>>stream\nx\nendstream\n"),
      "a stream without an end": () => pdfOf("9 0 obj<</Type/ObjStm>>stream\n"),
      digits: () => pdfOf("1"),
      spaces: () => pdfOf(" "),
    },
    samples: [pdf(2), packedPdf(3)],
    kind: "image",
    refusals: [],
  },
  {
    name: "audio or a video",
    read,
    check,
    shapes: {
      "starts of frames": () => repeated(Buffer.from([0xff]), mp3(1)),
      "the shortest frames": () => repeated(Buffer.from([0xff, 0xf3, 0x18, 0x00]), mp3(1)),
      "empty chunks": () => repeated(latin1("fact\0\0\0\0"), wav(1).subarray(0, 12)),
      "empty pages": () => repeated(latin1(`OggS${"\0".repeat(23)}`), ogg(1)),
      "starts of pages": () => repeated(latin1("OggS\xff"), ogg(1).subarray(0, 28)),
      "empty boxes": () => repeated(latin1("\0\0\0\x08free"), mp4(1)),
      "boxes in boxes": () => repeated(latin1("\0\x50\0\0moov"), mp4(1)),
      "boxes of no size": () => repeated(latin1("\0\0\0\0moov"), mp4(1)),
      "empty elements": () => repeated(Buffer.from([0xec, 0x80]), webm(1)),
      "clusters in clusters": () => repeated(Buffer.from([0x1f, 0x43, 0xb6, 0x75, 0xff]), webm(1)),
    },
    samples: [
      wav(0.01),
      mp3(0.1),
      flac(1),
      ogg(1),
      mp4(1, { hasSound: true }),
      mp4(1, { isFragmented: true }),
      webm(1),
    ],
    kind: "image",
    refusals: [],
  },
];
