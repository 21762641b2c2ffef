import type { ManifestBudget } from "./manifest-budget.js";

/** A box of JUMBF (ISO/IEC 19566-5). */
export interface Box {
  readonly type: string;
  /** Without its header. */
  readonly content: Buffer;
}

/** A box that holds others, and describes itself in the first. */
export interface SuperBox {
  /** The first four bytes of its type, which C2PA writes as letters. */
  readonly type: string;
  readonly label: string;
  /** Its content, as hashes cover it: the description and all boxes after it. */
  readonly content: Buffer;
  readonly boxes: readonly Box[];
}

const labelBytesMax = 1000;
/** The end of every type that C2PA uses. */
const typeEnd = Buffer.from("00110010800000aa00389b71", "hex");

/** Splits a buffer into boxes. Throws if they do not fill it. */
export function readBoxes(bytes: Buffer, budget: ManifestBudget): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    budget.countItem();
    const { headerBytes, length } = readHeader(bytes, at);
    if (length < headerBytes || at + length > bytes.length) throw new Error("A box does not fit.");
    const type = bytes.toString("latin1", at + 4, at + 8);
    boxes.push({ type, content: bytes.subarray(at + headerBytes, at + length) });
    at += length;
  }
  return boxes;
}

function readHeader(bytes: Buffer, at: number): { readonly headerBytes: number; readonly length: number } {
  if (at + 8 > bytes.length) throw new Error("A box does not fit.");
  const length = bytes.readUInt32BE(at);
  if (length === 0) return { headerBytes: 8, length: bytes.length - at };
  if (length !== 1) return { headerBytes: 8, length };
  if (at + 16 > bytes.length) throw new Error("A box does not fit.");
  return { headerBytes: 16, length: Number(bytes.readBigUInt64BE(at + 8)) };
}

/** Reads a superbox from its content. Its boxes are not looked into. */
export function readSuperBox({ type, content }: Box, budget: ManifestBudget): SuperBox {
  if (type !== "jumb") throw new Error(`A box is of the type ${JSON.stringify(type)} and not jumb.`);
  const [description, ...boxes] = readBoxes(content, budget);
  if (description?.type !== "jumd" || description.content.length < 17)
    throw new Error("A superbox has no description.");
  const { content: described } = description;
  const suffix = described.subarray(4, 16);
  return {
    type: suffix.equals(typeEnd) ? described.toString("latin1", 0, 4) : "",
    label: readLabel(described),
    content,
    boxes,
  };
}

/** A bit says whether there is a label, which ends with a zero byte. */
function readLabel(described: Buffer): string {
  if (((described[16] ?? 0) & 2) === 0) return "";
  const label = described.subarray(17, 17 + labelBytesMax + 1);
  const end = label.indexOf(0);
  if (end === -1) throw new Error("A label does not end.");
  return label.toString("utf8", 0, end);
}
