import type { Readable } from "node:stream";
import { errorOf } from "@model-gateway/domain/errors";
import type { FileResponse } from "../execution/handler.js";

interface RangedFile {
  readonly bytes: number;
  /** The `Range` header. */
  readonly range: string | undefined;
  readonly headers: FileResponse["headers"];
}

/**
 * Responds with a file, or with the part that a `Range` header names. Throws if that is outside the file.
 *
 * @param open Opens the whole file, or a part of it.
 */
export async function respondWithRange(
  { bytes, range, headers }: RangedFile,
  open: (part?: RequestedBytes) => Readable | Promise<Readable>,
): Promise<FileResponse> {
  const part = readByteRange(range, bytes);
  if (part === "unsatisfiable")
    throw errorOf("range_not_satisfiable", { bytes }, { headers: { "content-range": `bytes */${bytes}` } });
  if (part === "whole")
    return { status: 200, headers: { ...headers, "content-length": String(bytes) }, file: await open() };
  const { start, end } = part;
  return {
    status: 206,
    headers: {
      ...headers,
      "content-length": String(end - start + 1),
      "content-range": `bytes ${start}-${end}/${bytes}`,
    },
    file: await open(part),
  };
}

/** A part of a file: the first byte and the last, both included. */
interface RequestedBytes {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header for a file of the given size. Anything but a single range of bytes is ignored, since a server
 * may always send the whole file. https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
export function readByteRange(
  header: string | undefined,
  bytes: number,
): RequestedBytes | "whole" | "unsatisfiable" {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const start = Math.max(0, bytes - Number(last));
    return start < bytes ? { start, end: bytes - 1 } : "unsatisfiable";
  }
  const start = Number(first);
  const end = last === "" ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return "whole";
  return start < bytes ? { start, end: Math.min(end, bytes - 1) } : "unsatisfiable";
}

/**
 * Whether an `If-None-Match` header has this version of a file.
 * https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const given = header.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return given.includes(tag) || given.includes("*");
}
