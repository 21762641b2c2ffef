import { spawnSync } from "node:child_process";

const root = new URL("../../", import.meta.url);
const commands =
  "pnpm install --frozen-lockfile --prefer-offline && pnpm exec turbo run build --output-logs=errors-only";

/** Installs what is missing and builds what has changed. Ends the process if that fails. */
export function prepare() {
  const { status } = spawnSync("npx", ["-y", "--prefer-offline", "-p", "pnpm@12.18.0", "-c", commands], {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", REDOCLY_TELEMETRY: "off" },
    // What is built is news for the terminal; what is served is the output.
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}
