import { Readable } from "node:stream";
import type { Handler } from "../../../execution/handler.js";
import { respondWithRange } from "../../byte-range.js";
import { type FileHandlerServices, fileViewerOf } from "../../documents/FileObject.js";

export function retrieveFileContent({ files }: FileHandlerServices): Handler<"retrieveFileContent"> {
  return async ({ parameters: { file: id }, header, context }) => {
    const record = await files.retrieve(id, fileViewerOf(context));
    const response = {
      bytes: record.bytes,
      // A response has no ETag, so If-Range never matches: the whole file is sent.
      range: header("if-range") === undefined ? header("range") : undefined,
      headers: {
        "content-type": "application/octet-stream",
        "content-disposition": writeDisposition(record.filename),
        "accept-ranges": "bytes",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    };
    return respondWithRange(response, async (part) => {
      if (context.isHead) return Readable.from([]);
      return files.read(record, part && { start: part.start, end: part.end + 1 });
    });
  };
}

/** A header holds ASCII, so another name is sent encoded as well. https://www.rfc-editor.org/rfc/rfc6266 */
export function writeDisposition(filename: string): string {
  const ascii = filename.replaceAll(/[^\x20-\x7e]|["\\]/g, "_");
  if (ascii === filename) return `attachment; filename="${filename}"`;
  const encoded = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
