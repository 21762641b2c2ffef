import { open } from "node:fs/promises";

const chunkBytes = 64 * 1024;
const newline = 10;

/**
 * The lines of a file, many at a time, whatever its size. What is longer than a line may be comes out as undefined: a
 * disk that lost power can leave megabytes without an end. The last line may lack its end.
 */
export async function* readLines(path: string, lineBytesMax: number): AsyncGenerator<(string | undefined)[]> {
  const file = await open(path);
  try {
    let rest: Buffer = Buffer.alloc(0);
    let isTooLong = false;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      const chunk = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const lines: (string | undefined)[] = [];
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        lines.push(isTooLong ? undefined : chunk.toString("utf8", start, end));
        isTooLong = false;
        start = end + 1;
      }
      rest = chunk.subarray(start);
      if (rest.length > lineBytesMax) {
        isTooLong = true;
        rest = Buffer.alloc(0);
      }
      if (bytesRead === 0 && (isTooLong || rest.length > 0))
        lines.push(isTooLong ? undefined : rest.toString("utf8"));
      if (lines.length > 0) yield lines;
      if (bytesRead === 0) return;
    }
  } finally {
    await file.close();
  }
}
