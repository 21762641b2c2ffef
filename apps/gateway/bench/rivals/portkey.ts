import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, startProgram } from "../processes.js";
import { listening } from "./listening.js";
import type { Absent, Rival } from "./rival.js";

const version = "1.15.2";
const manifest = {
  private: true,
  dependencies: { "@portkey-ai/gateway": version },
  // With the version that its own range gives, every answer is a 500. https://github.com/Portkey-AI/gateway/issues/1389
  overrides: { "@hono/node-server": "1.13.8" },
};

/** The one gateway that installs from npm. It is put in a folder of its own, and is no part of the product. */
export function findPortkey(cacheFolder: string): Rival | Absent {
  const place = join(cacheFolder, `portkey-${version}`);
  const script = join(place, "node_modules/@portkey-ai/gateway/build/start-server.js");
  if (!existsSync(script) && !install(place)) return { name: "Portkey", reason: "npm could not install it" };
  const installed = JSON.parse(
    readFileSync(join(place, "node_modules/@portkey-ai/gateway/package.json"), "utf8"),
  );
  return {
    name: "Portkey",
    description: `@portkey-ai/gateway ${installed.version} from npm, headless`,
    headers: ({ upstreamPort }) => ({
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": `http://127.0.0.1:${upstreamPort}/v1`,
    }),
    start: async ({ cores }) => {
      const port = await freePort();
      const child = startProgram({
        command: process.execPath,
        arguments: [script, "--headless", `--port=${port}`],
        ...(cores === undefined ? {} : { cores }),
      });
      await listening(port, child);
      return { child, port };
    },
  };
}

function install(place: string): boolean {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify(manifest));
  const { status } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"],
    { cwd: place, stdio: ["ignore", "ignore", "inherit"] },
  );
  return status === 0;
}
