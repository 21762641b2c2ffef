import { open } from "node:fs/promises";
import { codeOf } from "@model-gateway/domain/failure-code";
import { isObject } from "@model-gateway/runtime/json";
import { CommandError } from "../../remote/command-error.js";
import type { RowId } from "../rows.js";

const chunkBytes = 1024 * 1024;
/** A vector of 4,096 numbers has some 90 KB. */
const lineBytesMax = 16 * 1024 * 1024;

/** A line of a file, and the byte after it. */
interface JsonlLine {
  readonly text: string;
  readonly end: number;
}

/** The lines of a file from a byte on, without empty ones. One chunk is in memory at a time. */
export async function* readLines(path: string, from = 0): AsyncGenerator<JsonlLine, void, undefined> {
  const file = await open(path, "r").catch((failure: unknown) => {
    throw new CommandError(
      `${path} cannot be read (${codeOf(failure)}). Check its path and its permissions.`,
    );
  });
  try {
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
        if (text !== "") yield { text, end: restAt + start };
      }
      rest = bytes.subarray(start);
      restAt += start;
      if (rest.length > lineBytesMax)
        throw new CommandError(
          `${path} has a line of more than ${lineBytesMax} bytes, from byte ${restAt} on.`,
        );
      if (bytesRead > 0) continue;
      const text = rest.toString("utf8").trim();
      if (text !== "") yield { text, end: restAt + rest.length };
      return;
    }
  } finally {
    await file.close();
  }
}

/** The object of a line. */
export function parseLine({ text, end }: JsonlLine, path: string): Record<string, unknown> {
  const place = `The line of ${path} that ends at byte ${end}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
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
