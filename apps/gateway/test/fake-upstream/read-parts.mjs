/** @import { FormPart } from "./script.js" */

/**
 * Reads a multipart body by hand, so that what the gateway wrote is judged by other code than its own. A part that
 * breaks off is left out.
 * @param {string} contentType
 * @param {Buffer} body
 * @returns {FormPart[]}
 */
export function readParts(contentType, body) {
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
