import { randomFillSync } from "node:crypto";

const randomBytes = 10;
/** Random bytes for many ids: asking for them takes as long for one as for a hundred. */
const pool = Buffer.allocUnsafe(randomBytes * 128);
let taken = pool.length;
let lastMs = 0;
let lastTime = "";

/**
 * An id that no other request has. It begins with the time, so that in an index of the ledger the new ones stand side by
 * side: at random places each would cost the database a page of its own.
 */
export function createRequestId(): string {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += randomBytes;
  return `req_${timeNow()}${pool.toString("hex", taken - randomBytes, taken)}`;
}

function timeNow(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = now.toString(16).padStart(12, "0");
  }
  return lastTime;
}
