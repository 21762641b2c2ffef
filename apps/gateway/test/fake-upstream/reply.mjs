/** @import { Reply } from "./script.js" */

/** Up to here one write of a copy is cheaper than several. */
const copiedBytesMax = 256 * 1024;

/**
 * An answer in JSON that succeeds.
 * @param {readonly Buffer[]} chunks
 * @returns {Reply}
 */
export function wholeReply(chunks) {
  let bytes = 0;
  for (const chunk of chunks) bytes += chunk.length;
  return {
    status: 200,
    headers: { "content-type": "application/json", "content-length": String(bytes) },
    chunks: chunks.length > 1 && bytes <= copiedBytesMax ? [Buffer.concat(chunks, bytes)] : chunks,
  };
}

/**
 * @param {number} status
 * @param {unknown} body JSON, or a text that is sent as it is
 * @param {Readonly<Record<string, string>>} [headers]
 * @returns {Reply}
 */
export function jsonReply(status, body, headers) {
  const content = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return {
    status,
    headers: {
      "content-type": "application/json",
      "content-length": String(content.length),
      ...headers,
    },
    chunks: [content],
  };
}

/**
 * An error in OpenAI's form.
 * @param {number} status
 * @param {object} [error]
 * @param {Readonly<Record<string, string>>} [headers]
 * @returns {Reply}
 */
export function errorReply(status, error, headers) {
  const told = { message: `Scripted failure ${status}.`, type: "test", param: null, code: null, ...error };
  return jsonReply(status, { error: told }, headers);
}
