/** @import { Reply } from "./script.js" */

/** Up to this size, copying the chunks together is cheaper than several writes. */
const copiedBytesMax = 256 * 1024;

/**
 * A successful reply with a JSON body.
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
 * @param {unknown} body a value for JSON, or text that is sent unchanged
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
 * An error reply in OpenAI's format.
 * @param {number} status
 * @param {object} [error]
 * @param {Readonly<Record<string, string>>} [headers]
 * @returns {Reply}
 */
export function errorReply(status, error, headers) {
  const body = { message: `Scripted failure ${status}.`, type: "test", param: null, code: null, ...error };
  return jsonReply(status, { error: body }, headers);
}

/**
 * Caches a value, among a few at most.
 * @template T
 * @param {Map<string, T>} cache
 * @param {string} key
 * @param {T} value
 */
export function remember(cache, key, value) {
  if (cache.size >= 32) cache.clear();
  cache.set(key, value);
}
