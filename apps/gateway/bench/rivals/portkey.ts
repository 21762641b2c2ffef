import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, startProgram, waitUntilListening } from "../processes.js";
import { installPackages } from "./install-packages.js";
import type { AbsentRival, Rival } from "./rival.js";

const version = "1.15.2";
const manifest = {
  dependencies: { "@portkey-ai/gateway": version },
  // With the version that its own range selects, every response is a 500. https://github.com/Portkey-AI/gateway/issues/1389
  overrides: { "@hono/node-server": "1.13.8" },
};

/** Portkey's gateway from npm. It is installed in a separate folder, outside the workspace. */
export function findPortkey(cacheFolder: string): Rival | AbsentRival {
  const folder = join(cacheFolder, `portkey-${version}`);
  const script = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");
  if (!existsSync(script) && !installPackages(folder, manifest))
    return { name: "Portkey", reason: "npm could not install it" };
  const installed = JSON.parse(
    readFileSync(join(folder, "node_modules/@portkey-ai/gateway/package.json"), "utf8"),
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
        cores,
      });
      await waitUntilListening(port, child);
      return { child, port };
    },
  };
}
