import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { Progress } from "./progress.mjs";

const root = new URL("../../", import.meta.url);
const buildBegins = "@build";
const commands = [
  // CI has verified the lockfile. To do so again takes seconds, and needs the registry.
  "pnpm install --frozen-lockfile --trust-lockfile --prefer-offline --reporter=append-only",
  `echo ${buildBegins}`,
  "pnpm exec turbo run build --output-logs=new-only --log-order=stream",
].join(" && ");

/**
 * Installs missing packages and builds changed ones. Ends the process if that fails. Everything is written to standard
 * error; standard output belongs to the gateway.
 */
export async function prepare() {
  const progress = new Progress(process.stderr, () => performance.now());
  progress.begin("Install packages");
  const child = spawn("npx", ["-y", "--prefer-offline", "-p", "pnpm@12.18.0", "-c", commands], {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", REDOCLY_TELEMETRY: "off", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (text) => {
      const line = stripVTControlCharacters(text);
      if (line === buildBegins) progress.begin("Build");
      else progress.note(line, detailOf(line));
    });
  const [code] = await closed;
  if (code === 0) return progress.end();
  progress.fail();
  process.exit(code ?? 1);
}

/**
 * The packages that pnpm has so far, or the package that Turbo builds.
 *
 * @param {string} line
 */
function detailOf(line) {
  return /^Progress: (.+)$/.exec(line)?.[1] ?? /^(@[\w/-]+):build: /.exec(line)?.[1];
}
