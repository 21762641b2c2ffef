// The real worker, except that the text "crash" ends it while it works, as a fault in native code would.
import "../../dist/worker/worker.js";
import { parentPort } from "node:worker_threads";

parentPort.on("message", ({ text }) => {
  if (text === "crash") process.exit(1);
});
