/** `npm start`: installs missing packages, builds changed ones, and serves. With a command, it runs that instead. */
import "./check-node.mjs";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const { prepare } = await import("./prepare.mjs");
const { isBuilt } = await import("./source-hashes.mjs");
const main = new URL("dist/main.js", import.meta.url);
const args = process.argv.slice(2);

// A person waits for a command, and the look at packages and builds takes longer than most of them.
if (!isCommand(args) || !isBuilt()) await prepare();
if (isCommand(args)) await import(main.href);
else serve();

/**
 * Whether the arguments name a command other than `serve`. One after an option counts as none, and is prepared for.
 *
 * @param {string[]} args
 */
function isCommand([first = "serve", ...rest]) {
  if ([first, ...rest].some((arg) => /^(--help|-h|--version|-v)$/.test(arg))) return true;
  return !first.startsWith("-") && first !== "serve";
}

/** In its own process: workers are started as the gateway itself was. */
function serve() {
  const gateway = spawn(process.execPath, [fileURLToPath(main), ...args], { stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the gateway as well, and a second signal would end it in the middle of its requests.
      if (signal !== "SIGINT" || !process.stdin.isTTY) gateway.kill(signal);
    });
  gateway.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}
