/** @import { IncomingMessage } from "node:http" */
/** @import { ReceivedRequest } from "./script.js" */
import { readParts } from "./read-parts.mjs";

/** Fields come before files, and of the files it is enough to have seen some. */
const formBytesKept = 1024 * 1024;

/**
 * Reads a request to its end. JSON is kept whole, and a form up to its first megabyte. A request that breaks off is
 * never read.
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
