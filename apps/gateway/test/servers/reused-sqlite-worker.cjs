// @ts-check
// A thread that serves one SQLite file after the other, with the code of a gateway's own threads.
const { parentPort } = require("node:worker_threads");
const { serveFile } = require("../../src/storage/database/sqlite-worker.cjs");

parentPort?.on("message", ({ port, data }) => {
  try {
    serveFile(port, data);
  } catch (failure) {
    const { message, code } = /** @type {Error & { code?: string }} */ (failure);
    port.postMessage({ opening: { message, code } });
    port.close();
  }
});
