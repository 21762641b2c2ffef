/** `npm start`: installs missing packages, builds changed ones, and serves. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";

await prepare();

const gateway = spawn(
  process.execPath,
  [fileURLToPath(new URL("dist/main.js", import.meta.url)), ...process.argv.slice(2)],
  { stdio: "inherit" },
);
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => {
    // A terminal sends Ctrl-C to the gateway as well, and a second signal would end it in the middle of its requests.
    if (signal !== "SIGINT" || !process.stdin.isTTY) gateway.kill(signal);
  });
gateway.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
