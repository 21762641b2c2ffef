// The real worker, which the text "crash" ends in the middle of its work, as a fault in native code would.
import "../../../dist/embeddings/worker.js";
import { parentPort } from "node:worker_threads";

parentPort.on("message", ({ text }) => {
  if (text === "crash") process.exit(1);
});
