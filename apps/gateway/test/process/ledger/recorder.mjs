/**
 * Records rows as fast as it can, and prints the id of each row once it is recorded:
 * `node recorder.mjs <folder> <name> <rows> [<together>]`. Its store is the parent process: rows are sent as messages, and
 * the reply is a message. It exits when all rows are shipped.
 */
import { writeSync } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";
import { openLedger } from "../../../dist/modules/usage/ledger/ledger.js";
import { emptyRow } from "../../../dist/modules/usage/ledger/ledger-columns.js";

const [folder, name, rows, together = 1] = process.argv.slice(2);
const pending = new Map();
let calls = 0;

const store = {
  add: (given) =>
    new Promise((resolve, reject) => {
      calls += 1;
      pending.set(calls, { resolve, reject });
      process.send({ call: calls, rows: given });
    }),
};
process.on("message", ({ call, isAccepted }) => {
  const { resolve, reject } = pending.get(call);
  if (isAccepted) resolve();
  else reject(new Error("The store fails."));
});
const clock = {
  now: Date.now,
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
const log = { info() {}, warn() {}, error() {} };

const ledger = await openLedger({ folder, store, log, bytesMax: 1e8, clock, random: Math.random });
for (let number = 1; number <= Number(rows); number += Number(together)) {
  const group = Array.from({ length: Number(together) }, (_, index) => rowOf(number + index));
  ledger.record(...group);
  if (ledger.snapshot().dropped === 0) writeSync(1, group.map(({ id }) => `${id}\n`).join(""));
  if (number % 10 === 0) await setImmediate();
}
while (ledger.snapshot().rows > 0) await setTimeout(20);
process.send({ snapshot: ledger.snapshot() });
process.disconnect();

function rowOf(number) {
  return {
    ...emptyRow,
    id: `${name}-${number}`,
    at: Date.now(),
    keyId: "key_1",
    keyName: "batch",
    operation: "createEmbedding",
    model: "m",
    status: 200,
    inputTokens: number,
    costNanos: null,
    ms: 1,
    requestBytes: 1,
    responseBytes: 1,
  };
}
