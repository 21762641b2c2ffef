import {
  type ImageBlock,
  type ReadBytes,
  TooManyBlocksError,
  walkBlocks,
} from "@model-gateway/domain/image-blocks";
import type { RasterFormat } from "@model-gateway/domain/image-profile";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
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
  const slice = new TimeSlice();
  const pause = () => (slice.isOver ? slice.yield() : undefined);
  try {
    await walkBlocks({ format, bytes, read, pause }, (block) => {
      add[format](block, found);
      return true;
    });
  } catch (failure) {
    throw failure instanceof TooManyBlocksError ? new UncheckedManifest(failure.message) : failure;
  }
  return found.filter(({ blocks }) => blocks.every(({ end }) => end <= bytes));
}

/** A store while its segments are found. */
interface GrowingManifest extends FoundManifest {
  readonly blocks: ByteRange[];
  readonly parts: ByteRange[];
}

/** Adds the block if it belongs to a store. */
type AddBlock = (block: ImageBlock, found: GrowingManifest[]) => void;

/** A chunk of the type `caBX`. A checksum follows the store. */
const addPngChunk: AddBlock = ({ type, start, end }, found) => {
  if (type === "caBX") found.push(inOneBlock({ start, end }, { start: start + 8, end: end - 4 }));
};

/** A chunk of the type `C2PA`, without the byte that may fill it up. */
const addWebpChunk: AddBlock = ({ type, head, start }, found) => {
  const end = start + 8 + head.readUInt32LE(4);
  if (type === "C2PA") found.push(inOneBlock({ start, end }, { start: start + 8, end }));
};

const app11 = 0xeb;
/** The marker, the length, `JP`, the number of the box, and the number of the segment. */
const segmentHeaderBytes = 12;
/** The type of a superbox that is a manifest store. */
export const storeType = Buffer.from("6332706100110010800000aa00389b71", "hex");

/**
 * Segments APP11 with a JUMBF box, in order, all with the header of the box.
 * https://www.iso.org/standard/84635.html (ISO/IEC 19566-5, annex D)
 */
const addJpegSegment: AddBlock = ({ head, start, end }, found) => {
  if (head[1] !== app11 || head.length < 20) return;
  if (latin1(head, 4, 6) !== "JP" || latin1(head, 16, 20) !== "jumb") return;
  const boxHeaderBytes = head.readUInt32BE(segmentHeaderBytes) === 1 ? 16 : 8;
  const content = segmentHeaderBytes + boxHeaderBytes;
  const sequence = head.readUInt32BE(8);
  if (sequence !== 1) {
    const last = found.at(-1);
    if (last?.blocks.length !== sequence - 1 || last.blocks.at(-1)?.end !== start) return;
    last.blocks.push({ start, end });
    last.parts.push({ start: start + content, end });
    return;
  }
  const isStore =
    latin1(head, content + 4, content + 8) === "jumd" &&
    head.subarray(content + 8, content + 24).equals(storeType);
  if (isStore) found.push(inOneBlock({ start, end }, { start: start + segmentHeaderBytes, end }));
};

const add: Readonly<Record<RasterFormat, AddBlock>> = {
  png: addPngChunk,
  jpeg: addJpegSegment,
  webp: addWebpChunk,
};

function inOneBlock(block: ByteRange, part: ByteRange): GrowingManifest {
  return { blocks: [block], parts: [part] };
}

function latin1(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("latin1", start, end);
}
