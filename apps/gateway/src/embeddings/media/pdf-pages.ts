import { constants, inflateSync } from "node:zlib";
import type { Steps } from "@model-gateway/runtime/time-slice";

/** More pages are not counted. */
export const pagesMax = 1000;
const nodesMax = 5000;
const objectsMax = 200_000;
/** The text of one object. A node with a thousand pages has 10 KB. */
const objectBytesMax = 64 * 1024;
/** The inflated object streams of one file. */
const inflatedBytesMax = 32 * 1024 * 1024;
const packedMax = 10_000;
const stepObjects = 200;

/**
 * Counts the pages of a PDF by the leaves of its page tree, up to one more than `pagesMax`. Its objects are found by a
 * scan, as readers do it for damaged files: the last one of a number counts. Undefined if the tree cannot be read: it is
 * encrypted, damaged, or beyond the bounds.
 */
export function* countPages(pdf: Buffer): Steps<number | undefined> {
  const objects = yield* findObjects(pdf);
  const root = /^\/Root\s+(\d{1,10})\s+\d{1,5}\s+R/.exec(
    textAt(pdf, pdf.lastIndexOf("/Root", undefined, "latin1"), 40),
  );
  const catalog = objects?.textOf(Number(root?.[1]));
  const first = catalog && /\/Pages\s+(\d{1,10})\s+\d{1,5}\s+R/.exec(catalog)?.[1];
  if (objects === undefined || first === undefined || first === "") return undefined;
  const seen = new Set<number>();
  const waiting = [Number(first)];
  let pages = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const kids = kidsOf(next, objects);
    if (kids === undefined || seen.size + waiting.length + kids.length > nodesMax * 2) return undefined;
    if (kids === leaf) pages += 1;
    else waiting.push(...kids);
    if (pages > pagesMax) return pages;
    if (seen.size > nodesMax) return undefined;
    yield;
  }
  return pages;
}

const leaf: readonly number[] = [];

/** Undefined for a node that cannot be read. */
function kidsOf(node: number, objects: PdfObjects): readonly number[] | undefined {
  const text = objects.textOf(node);
  if (text === undefined) return undefined;
  if (/\/Type\s*\/Page(?![A-Za-z])/.test(text) || !text.includes("/Kids")) return leaf;
  const [, listed, reference] = /\/Kids\s*(?:\[([^\]]{0,65536})\]|(\d{1,10})\s+\d{1,5}\s+R)/.exec(text) ?? [];
  const list = reference === undefined ? listed : objects.textOf(Number(reference));
  if (list === undefined) return undefined;
  const kids = [...list.matchAll(/(\d{1,10})\s+\d{1,5}\s+R/g)].map(([, number]) => Number(number));
  return kids.length === 0 ? [] : kids;
}

/** The objects of a file, those in streams among them. */
class PdfObjects {
  readonly #pdf: Buffer;
  readonly #found = new Map<number, number | string>();

  constructor(pdf: Buffer) {
    this.#pdf = pdf;
  }

  get size(): number {
    return this.#found.size;
  }

  /** @param at Where it begins in the file, or its text. */
  add(number: number, at: number | string): void {
    this.#found.set(number, at);
  }

  textOf(number: number): string | undefined {
    const at = this.#found.get(number);
    return typeof at === "number" ? bodyAt(this.#pdf, at) : at;
  }
}

/** Undefined if there are too many. */
function* findObjects(pdf: Buffer): Steps<PdfObjects | undefined> {
  const objects = new PdfObjects(pdf);
  let inflated = 0;
  let steps = 0;
  for (
    let at = pdf.indexOf("obj", 0, "latin1"), next = 0;
    at !== -1;
    at = pdf.indexOf("obj", next, "latin1")
  ) {
    next = at + 3;
    steps += 1;
    if (steps % stepObjects === 0) yield;
    const head = pdf.toString("latin1", Math.max(0, at - 24), at);
    const [, number] = /(\d{1,10})\s{1,6}\d{1,5}\s{1,6}$/.exec(head) ?? [];
    if (number === undefined) continue;
    objects.add(Number(number), at + 3);
    if (objects.size > objectsMax) return undefined;
    if (!textAt(pdf, at + 3, 512).includes("/ObjStm")) continue;
    const range = streamAt(pdf, at + 3);
    if (range === undefined) return objects;
    // The search goes on behind it, so that no byte is looked at twice.
    next = range.end;
    const content = inflate(pdf, range, inflatedBytesMax - inflated);
    yield;
    if (content === undefined) continue;
    inflated += content.length;
    unpack({ dictionary: range.dictionary, content }, objects);
  }
  return objects;
}

interface StreamRange {
  readonly dictionary: string;
  readonly start: number;
  readonly end: number;
}

/** Undefined if it has no end: nothing whole comes after it. */
function streamAt(pdf: Buffer, at: number): StreamRange | undefined {
  const word = pdf.indexOf("stream", at, "latin1");
  const end = word === -1 ? -1 : pdf.indexOf("endstream", word + 6, "latin1");
  if (end === -1) return undefined;
  // The word is followed by a line break of one or two bytes.
  const start = word + (pdf[word + 6] === 13 && pdf[word + 7] === 10 ? 8 : 7);
  return { dictionary: bodyAt(pdf, at), start, end };
}

interface ObjectStream {
  readonly dictionary: string;
  readonly content: Buffer;
}

/** Undefined if it cannot be inflated: its objects are then missing. */
function inflate(
  pdf: Buffer,
  { dictionary, start, end }: StreamRange,
  maxOutputLength: number,
): Buffer | undefined {
  const stored = pdf.subarray(start, end);
  if (!dictionary.includes("/Filter")) return stored;
  if (maxOutputLength <= 0) return undefined;
  try {
    return inflateSync(stored, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}

/** Its head has the number and the place of each object. https://www.iso.org/standard/75839.html, 7.5.7 */
function unpack({ dictionary, content }: ObjectStream, objects: PdfObjects): void {
  const count = Number(/\/N\s+(\d{1,6})/.exec(dictionary)?.[1]);
  const first = Number(/\/First\s+(\d{1,8})/.exec(dictionary)?.[1]);
  if (!(count <= packedMax) || !(first <= content.length)) return;
  const head = content
    .toString("latin1", 0, first)
    .trim()
    .split(/\s+/, count * 2)
    .map(Number);
  for (let index = 0; index < count; index += 1) {
    const [number, from, , to] = head.slice(index * 2, index * 2 + 4);
    if (number === undefined || from === undefined) return;
    const start = first + from;
    const end = Math.min(to === undefined ? content.length : first + to, start + objectBytesMax);
    objects.add(number, content.toString("latin1", start, Math.max(start, end)));
  }
}

/** The text of an object, without its stream. */
function bodyAt(pdf: Buffer, at: number): string {
  const text = textAt(pdf, at, objectBytesMax);
  const [end] = /endobj|stream[\r\n]/.exec(text) ?? [];
  return end === undefined ? text : text.slice(0, text.indexOf(end));
}

function textAt(pdf: Buffer, at: number, length: number): string {
  return at < 0 ? "" : pdf.toString("latin1", at, Math.min(at + length, pdf.length));
}
