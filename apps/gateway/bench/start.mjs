/** `npm run bench`: installs missing packages, builds outdated ones, then runs main.ts. */
import "../check-node.mjs";
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = new URL("../../../", import.meta.url);
const prepare = [
  "pnpm install --frozen-lockfile --prefer-offline",
  "pnpm exec turbo run build --output-logs=errors-only",
  "pnpm --filter @model-gateway/gateway exec tsc -p tsconfig.bench.json",
].join(" && ");

const prepared = spawnSync("npx", ["-y", "--prefer-offline", "-p", "pnpm@12.18.0", "-c", prepare], {
  cwd: root,
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", REDOCLY_TELEMETRY: "off" },
  stdio: ["ignore", 2, 2],
});
if (prepared.status !== 0) process.exit(prepared.status ?? 1);

const bench = spawn(
  process.execPath,
  [fileURLToPath(new URL("dist/main.js", import.meta.url)), ...process.argv.slice(2)],
  { stdio: "inherit" },
);
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => bench.kill(signal));
bench.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
