/** The fake upstream as a process of its own. `node main.mjs --help` says how. */
import { openSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { startFakeUpstream } from "./fake-upstream.mjs";

const usage = `Usage: node test/fake-upstream/main.mjs [--port <n>] [--script <json>] [--tally <file>]

  --port <n>        where to listen on 127.0.0.1; a free port where none is given
  --script <json>   what it does from the start; see script.ts. POST /__control gives it another
  --tally <file>    gets a byte for every request as it arrives, so that a kill -9 loses no count

The first line it prints is its base URL. GET /__seen tells what has come in. It ends with whoever started it with a
channel to it, or by any signal.`;

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
