import type { ReadBytes } from "../../domain/image-header.js";
import type { RasterFormat } from "../../domain/image-profile.js";
import { UncheckedManifest } from "./manifest-fault.js";

/** Bytes of a file: from `start` up to, but without, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A C2PA manifest store in an image. */
export interface FoundManifest {
  /** The blocks of the file that hold it, with their headers. */
  readonly blocks: readonly ByteRange[];
  /** The store itself, in parts: a JPEG cuts it into segments. */
  readonly parts: readonly ByteRange[];
}

/** An image with more blocks is not read further. Encoders write pieces of 8 KB and more. */
const blocksMax = 100_000;

/**
 * Finds the manifest stores of an image, from the headers of its blocks alone. C2PA allows one; several make the image
 * invalid. Throws if the image has more blocks than any encoder writes.
 *
 * https://spec.c2pa.org/specifications/specifications/2.2/specs/C2PA_Specification.html#_embedding_manifests_into_various_file_formats
 */
export async function findManifests(
  format: RasterFormat,
  bytes: number,
  read: ReadBytes,
): Promise<readonly FoundManifest[]> {
  const found: GrowingManifest[] = [];
  const walk = { png: walkPng, jpeg: walkJpeg, webp: walkWebp }[format];
  let at: number | undefined = firstBlock[format];
  for (let block = 0; at !== undefined && at < bytes; block += 1) {
    if (block === blocksMax) throw new UncheckedManifest(`The image has more than ${blocksMax} blocks.`);
    at = await walk(read, at, found);
  }
  return found.filter(({ blocks }) => blocks.every(({ end }) => end <= bytes));
}

/** A store while its segments are found. */
interface GrowingManifest extends FoundManifest {
  readonly blocks: ByteRange[];
  readonly parts: ByteRange[];
}

const firstBlock: Readonly<Record<RasterFormat, number>> = { png: 8, jpeg: 2, webp: 12 };

/** Looks at one block, and returns the position of the next. Undefined at the end. */
type Walk = (read: ReadBytes, at: number, found: GrowingManifest[]) => Promise<number | undefined>;

/** A chunk of the type `caBX`: a length, the type, the store, and a checksum. */
const walkPng: Walk = async (read, at, found) => {
  const head = await read(at, 8);
  if (head.length < 8) return undefined;
  const type = latin1(head, 4, 8);
  const end = at + 12 + head.readUInt32BE(0);
  if (type === "caBX") found.push(inOneBlock({ start: at, end }, { start: at + 8, end: end - 4 }));
  return type === "IEND" || !/^[A-Za-z]{4}$/.test(type) ? undefined : end;
};

/** A chunk of the type `C2PA`: the type, a length, and the store. A byte fills up an odd one. */
const walkWebp: Walk = async (read, at, found) => {
  const head = await read(at, 8);
  if (head.length < 8) return undefined;
  const length = head.readUInt32LE(4);
  const end = at + 8 + length;
  if (latin1(head, 0, 4) === "C2PA") found.push(inOneBlock({ start: at, end }, { start: at + 8, end }));
  return end + (length % 2);
};

/** The markers that end the part of a JPEG that has metadata: the pixels, and the end. */
const lastMarkers: ReadonlySet<number> = new Set([0xda, 0xd9]);
const app11 = 0xeb;

/**
 * Segments APP11 with a JUMBF box, in order, all with the header of the box.
 * https://www.iso.org/standard/84635.html (ISO/IEC 19566-5, annex D)
 */
const walkJpeg: Walk = async (read, at, found) => {
  const head = await read(at, segmentBytes);
  const marker = head[1] ?? 0;
  if (head.length < 2 || head[0] !== 0xff || lastMarkers.has(marker)) return undefined;
  // A byte that fills up.
  if (marker === 0xff) return at + 1;
  if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) return at + 2;
  if (head.length < 4 || head.readUInt16BE(2) < 2) return undefined;
  const end = at + 2 + head.readUInt16BE(2);
  if (marker === app11) addSegment(head, { start: at, end }, found);
  return end;
};

/** The bytes of a segment's start, up to the type of the superbox. */
const segmentBytes = 52;
/** The marker, the length, `JP`, the number of the box, and the number of the segment. */
const segmentHeaderBytes = 12;
/** The type of a superbox that is a manifest store. */
export const storeType = Buffer.from("6332706100110010800000aa00389b71", "hex");

function addSegment(head: Buffer, block: ByteRange, found: GrowingManifest[]): void {
  if (head.length < 20 || latin1(head, 4, 6) !== "JP" || latin1(head, 16, 20) !== "jumb") return;
  const boxHeaderBytes = head.readUInt32BE(segmentHeaderBytes) === 1 ? 16 : 8;
  const content = segmentHeaderBytes + boxHeaderBytes;
  const sequence = head.readUInt32BE(8);
  if (sequence !== 1) {
    const last = found.at(-1);
    if (last?.blocks.length !== sequence - 1 || last.blocks.at(-1)?.end !== block.start) return;
    last.blocks.push(block);
    last.parts.push({ start: block.start + content, end: block.end });
    return;
  }
  const isStore =
    latin1(head, content + 4, content + 8) === "jumd" &&
    head.subarray(content + 8, content + 24).equals(storeType);
  if (isStore) found.push(inOneBlock(block, { start: block.start + segmentHeaderBytes, end: block.end }));
}

function inOneBlock(block: ByteRange, part: ByteRange): GrowingManifest {
  return { blocks: [block], parts: [part] };
}

function latin1(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("latin1", start, end);
}

const gifBlock = Buffer.from("\x21\xff\x0bC2PA_GIF\x01\x00\x00", "latin1");
const svgElement = Buffer.from("<c2pa:manifest");

/** Whether a GIF or an SVG has a manifest store. They are never converted, so that is all that matters. */
export function hasManifest(format: "gif" | "svg", content: Buffer): boolean {
  return content.includes(format === "gif" ? gifBlock : svgElement);
}
