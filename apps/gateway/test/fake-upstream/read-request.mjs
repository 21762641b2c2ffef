/** @import { IncomingMessage } from "node:http" */
/** @import { FormPart, ReceivedRequest } from "./script.js" */

/** Enough for all fields, which come before the files, and for some of the files. */
const formBytesKept = 1024 * 1024;

/**
 * Reads a request to its end. JSON is kept whole, a form up to its first megabyte. `done` is not called for a request
 * that breaks off.
 * @param {IncomingMessage} request
 * @param {(received: ReceivedRequest, bytes: number) => void} done
 */
export function readRequest(request, done) {
  const { headers } = request;
  const contentType = headers["content-type"] ?? "";
  const isForm = contentType.startsWith("multipart/");
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  request.on("data", (/** @type {Buffer} */ chunk) => {
    if (!isForm || bytes < formBytesKept) chunks.push(chunk);
    bytes += chunk.length;
  });
  request.on("end", () => {
    const content = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    const parts = isForm ? readParts(contentType, content) : [];
    const body = isForm ? fieldsOf(parts) : parse(content);
    done({ path: request.url ?? "", headers, body, parts }, bytes);
  });
}

/**
 * Parses a multipart body by hand, so that the gateway's writer is not tested with its own parser. An incomplete part
 * is left out.
 * @param {string} contentType
 * @param {Buffer} body
 * @returns {FormPart[]}
 */
function readParts(contentType, body) {
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  const delimiter = Buffer.from(`--${boundary}`);
  const parts = [];
  let start = body.indexOf(delimiter) + delimiter.length;
  for (let end = body.indexOf(delimiter, start); end !== -1; end = body.indexOf(delimiter, start)) {
    const part = body.subarray(start + 2, end - 2);
    const headEnd = part.indexOf("\r\n\r\n");
    const head = part.toString("utf8", 0, headEnd);
    parts.push({
      name: /name="([^"]*)"/.exec(head)?.[1] ?? "",
      filename: /filename="([^"]*)"/.exec(head)?.[1],
      type: /content-type: (.+)/i.exec(head)?.[1],
      content: part.subarray(headEnd + 4),
    });
    start = end + delimiter.length;
  }
  return parts;
}

/** @param {ReceivedRequest["parts"]} parts */
function fieldsOf(parts) {
  const fields = parts.filter(({ filename }) => filename === undefined);
  return Object.fromEntries(fields.map(({ name, content }) => [name, content.toString()]));
}

/**
 * @param {Buffer} content
 * @returns {Record<string, unknown>}
 */
function parse(content) {
  try {
    return Object(JSON.parse(content.toString()));
  } catch {
    return {};
  }
}
