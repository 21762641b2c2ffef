import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readLines } from "./read-lines.js";

/** A row that takes more is not kept: what is longer is no row of ours when it is read again. */
export const lineBytesMax = 32 * 1024;

/** A file of the spool that holds rows, one a line. */
export interface Segment {
  readonly folder: string;
  readonly path: string;
  bytes: number;
  /** How many rows it holds, as far as is known before it is read. */
  rows: number;
  /** When the first row in it came, or about when: milliseconds since 1970. */
  since: number;
}

const namePattern = /^(\d{10})\.rows$/;

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(10, "0")}.rows`);
}

/** The number of a segment by its file name; undefined for a file that is none. */
function segmentNumber(name: string): number | undefined {
  const digits = namePattern.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** What earlier processes have left in a folder, oldest first, and the number that no segment there has had. */
export async function findSegments(folder: string): Promise<{ segments: Segment[]; nextNumber: number }> {
  const numbers = (await readdir(folder))
    .flatMap((name) => segmentNumber(name) ?? [])
    .sort((left, right) => left - right);
  const segments: Segment[] = [];
  for (const number of numbers) segments.push(await describe(folder, segmentPath(folder, number)));
  return { segments, nextNumber: (numbers.at(-1) ?? 0) + 1 };
}

async function describe(folder: string, path: string): Promise<Segment> {
  const { size, mtimeMs } = await stat(path);
  return { folder, path, bytes: size, rows: await countLines(path), since: Math.round(mtimeMs) };
}

/** One that can not be read counts as empty; whoever ships it will say why. */
async function countLines(path: string): Promise<number> {
  let count = 0;
  try {
    for await (const lines of readLines(path, lineBytesMax)) count += lines.length;
  } catch {
    return count;
  }
  return count;
}
