import { spawnSync } from "node:child_process";

const root = new URL("../../", import.meta.url);
const commands =
  "pnpm install --frozen-lockfile --prefer-offline && pnpm exec turbo run build --output-logs=errors-only";

/** Installs missing packages and builds changed ones. Ends the process if that fails. */
export function prepare() {
  const { status } = spawnSync("npx", ["-y", "--prefer-offline", "-p", "pnpm@12.18.0", "-c", commands], {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", REDOCLY_TELEMETRY: "off" },
    // Build output goes to standard error; standard output belongs to the gateway.
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}
