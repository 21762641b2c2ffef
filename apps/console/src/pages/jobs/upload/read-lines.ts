/** A line of a file. */
export interface FileLine {
  /** Counted from 1. */
  readonly number: number;
  /** Undefined if the line is longer than `lineBytesMax`. */
  readonly text: string | undefined;
}

/** The lines that end in one piece of a file. */
export interface FilePiece {
  readonly lines: readonly FileLine[];
  /** Up to the end of the piece. */
  readonly bytesRead: number;
}

export interface ReadLinesOptions {
  /** One piece is in memory at a time, and the page can respond between two of them. */
  readonly pieceBytes?: number;
  /** Longer lines are counted only. */
  readonly lineBytesMax?: number;
}

export const lineBytesMax = 4 * 1024 * 1024;

const lineFeed = 0x0a;

/** Reads a file piece by piece. At most one piece and one line of it are in memory. */
export async function* readLines(
  file: Blob,
  { pieceBytes = 256 * 1024, lineBytesMax: bytesMax = lineBytesMax }: ReadLinesOptions = {},
): AsyncGenerator<FilePiece> {
  // The gateway does not skip a byte order mark either.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let number = 0;
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  const gather = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes <= bytesMax) gathered.push(part);
    else gathered = [];
  };
  const finish = (): FileLine => {
    number += 1;
    const text = bytes > bytesMax ? undefined : decode(gathered, decoder);
    gathered = [];
    bytes = 0;
    return { number, text };
  };
  for (let start = 0; start < file.size; start += pieceBytes) {
    const piece = new Uint8Array(await file.slice(start, start + pieceBytes).arrayBuffer());
    const lines: FileLine[] = [];
    let at = 0;
    for (let end = piece.indexOf(lineFeed); end !== -1; end = piece.indexOf(lineFeed, at)) {
      gather(piece.subarray(at, end));
      at = end + 1;
      lines.push(finish());
    }
    if (at < piece.length) gather(piece.subarray(at));
    const bytesRead = Math.min(file.size, start + pieceBytes);
    if (bytesRead === file.size && bytes > 0) lines.push(finish());
    yield { lines, bytesRead };
  }
}

function decode(parts: readonly Uint8Array[], decoder: TextDecoder): string {
  const [only] = parts;
  const text =
    only !== undefined && parts.length === 1
      ? decoder.decode(only)
      : parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
