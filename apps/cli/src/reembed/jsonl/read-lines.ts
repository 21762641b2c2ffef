import { type FileHandle, open } from "node:fs/promises";
import { codeOf } from "@model-gateway/domain/failure-code";
import { isObject } from "@model-gateway/runtime/json";
import { CommandError } from "../../remote/command-error.js";
import type { RowId } from "../rows.js";

const chunkBytes = 1024 * 1024;
/** A vector of 4,096 numbers has some 90 KB. */
const lineBytesMax = 16 * 1024 * 1024;

/** A line of a file. */
export interface JsonlLine {
  readonly text: string;
  /** The byte after it. */
  readonly end: number;
  /** From 1 on, for people. */
  readonly number: number;
}

/** The lines of a file from a byte on, without empty ones. One chunk is in memory at a time. */
export async function* readLines(path: string, from = 0): AsyncGenerator<JsonlLine, void, undefined> {
  const file = await open(path, "r").catch((failure: unknown) => {
    const code = codeOf(failure);
    throw new CommandError(
      code === "ENOENT"
        ? `${path} does not exist.`
        : `${path} cannot be read (${code}). Check its path and its permissions.`,
    );
  });
  try {
    let number = await countLines(file, from);
    let rest: Buffer = Buffer.alloc(0);
    let restAt = from;
    for (let position = from; ; ) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await file.read(chunk, 0, chunkBytes, position);
      position += bytesRead;
      const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      let start = 0;
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        const text = bytes.toString("utf8", start, end).trim();
        start = end + 1;
        number += 1;
        if (text !== "") yield { text, end: restAt + start, number };
      }
      rest = bytes.subarray(start);
      restAt += start;
      if (rest.length > lineBytesMax)
        throw new CommandError(`Line ${number + 1} of ${path} has more than ${lineBytesMax} bytes.`);
      if (bytesRead > 0) continue;
      const text = rest.toString("utf8").trim();
      if (text !== "") yield { text, end: restAt + rest.length, number: number + 1 };
      return;
    }
  } finally {
    await file.close();
  }
}

/** The lines before a byte: a command that goes on still names lines as an editor does. */
async function countLines(file: FileHandle, before: number): Promise<number> {
  let count = 0;
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, before));
  for (let position = 0; position < before; ) {
    const length = Math.min(chunk.length, before - position);
    const { bytesRead } = await file.read(chunk, 0, length, position);
    if (bytesRead === 0) return count;
    position += bytesRead;
    for (let at = chunk.indexOf(10); at !== -1 && at < bytesRead; at = chunk.indexOf(10, at + 1)) count += 1;
  }
  return count;
}

/** Where a line is, as the subject of a sentence. */
export function placeOf({ number }: JsonlLine, path: string): string {
  return `Line ${number} of ${path}`;
}

/** The object of a line. */
export function parseLine(line: JsonlLine, path: string): Record<string, unknown> {
  const place = placeOf(line, path);
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    throw new CommandError(`${place} is not JSON.`);
  }
  if (!isObject(value)) throw new CommandError(`${place} is not an object.`);
  return value;
}

/** The gateway returns the id with each result. */
const idLengthMax = 200;

/** Checks the id of a row. */
export function readId(value: unknown, place: string): RowId {
  const isText = typeof value === "string" && value !== "" && value.length <= idLengthMax;
  if (isText || (typeof value === "number" && Number.isSafeInteger(value))) return value;
  throw new CommandError(
    `${place} has no usable id: it must be a whole number, or a text of 1 to ${idLengthMax} characters.`,
  );
}
