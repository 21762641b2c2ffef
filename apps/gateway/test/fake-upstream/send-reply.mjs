/** @import { ServerResponse } from "node:http" */
/** @import { Fault, Reply } from "./script.js" */
/** @import { Exchange } from "./tally.mjs" */

/**
 * Sends a reply, or the part of it that the fault allows.
 * @param {ServerResponse} response
 * @param {Reply} reply
 * @param {{ fault: Fault | undefined, exchange: Exchange }} context
 */
export function sendReply(response, reply, { fault, exchange }) {
  switch (fault?.kind) {
    case "stall":
      if (fault.afterBytes !== undefined) begin(response, reply).write(partOf(reply, fault.afterBytes));
      return;
    case "cut":
    case "reset": {
      exchange.isBroken = true;
      const stop = () => (fault.kind === "cut" ? response.destroy() : response.socket?.resetAndDestroy());
      if (fault.afterBytes === undefined) stop();
      else begin(response, reply).write(partOf(reply, fault.afterBytes), stop);
      return;
    }
    case "drip":
      begin(response, reply);
      drip(response, Buffer.concat(reply.chunks), fault);
      return;
    default:
      sendWhole(response, reply);
  }
}

/**
 * @param {ServerResponse} response
 * @param {Reply} reply
 */
function sendWhole(response, { status, headers, chunks }) {
  response.writeHead(status, headers);
  if (chunks.length === 1) {
    response.end(chunks[0]);
    return;
  }
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.end();
  response.uncork();
}

/**
 * @param {ServerResponse} response
 * @param {Reply} reply
 */
function begin(response, { status, headers }) {
  response.writeHead(status, headers).flushHeaders();
  return response;
}

/**
 * @param {Reply} reply
 * @param {number} afterBytes
 */
function partOf({ chunks }, afterBytes) {
  const whole = Buffer.concat(chunks);
  return whole.subarray(0, afterBytes);
}

/**
 * @param {ServerResponse} response
 * @param {Buffer} content
 * @param {{ bytes: number, everyMs: number }} pace
 */
function drip(response, content, { bytes, everyMs }) {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(content.subarray(sent, sent + bytes));
    sent += bytes;
    if (sent < content.length) return;
    clearInterval(timer);
    response.end();
  }, everyMs);
  response.once("close", () => clearInterval(timer));
}
