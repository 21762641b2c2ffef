/** A part of a file: the first byte and the last, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header for a file of so many bytes. What is not one range of bytes is as if it were not there; a
 * server may always send the whole. https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
export function readByteRange(
  header: string | undefined,
  bytes: number,
): ByteRange | "whole" | "unsatisfiable" {
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
