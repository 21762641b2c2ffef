/** Runs the fake upstream as a separate process. See `node main.mjs --help`. */
import { openSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { startFakeUpstream } from "./fake-upstream.mjs";

const usage = `Usage: node test/fake-upstream/main.mjs [--port <n>] [--script <json>] [--tally <file>]

  --port <n>        the port on 127.0.0.1; a free one by default
  --script <json>   the first script; see script.ts. POST /__control replaces it
  --tally <file>    gets one byte for each request on arrival, so that the count survives a kill -9

The first line of the output is the base URL. GET /__seen returns what has been received. The process ends on any
signal, and when its parent closes the IPC channel.`;

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    script: { type: "string", default: "{}" },
    tally: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help === true) console.log(usage);
else await main();

async function main() {
  const upstream = await startFakeUpstream({
    port: Number(values.port),
    script: JSON.parse(values.script),
    keptMax: 20,
    ...(values.tally !== undefined && { onRequest: tallyIn(values.tally) }),
  });
  process.on("disconnect", () => process.exit(0));
  console.log(upstream.baseUrl);
}

/** @param {string} path */
function tallyIn(path) {
  const file = openSync(path, "a");
  return () => {
    writeSync(file, ".");
  };
}
