import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundledPackages } from "../../bundled-packages.mjs";
import { GatewayFolder } from "../gateway/built.js";

const preload = join(import.meta.dirname, "loaded-packages.mjs");
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
/** The packages that the gateway depends on, and that are not inside its own files. */
const own: string[] = Object.keys(manifest.dependencies).filter((name) => !bundledPackages.includes(name));

/** The packages that a gateway has loaded once it listens. */
async function loadedWith(config?: string): Promise<string[]> {
  const home = new GatewayFolder(config);
  onTestFinished(() => home.remove());
  const gateway = await home.start({}, { preload });
  const loaded = (await gateway.ask("packages")) as string[];
  return loaded.filter((name) => own.includes(name));
}

const remote = `
upstreams: { one: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" } }
models: { one: { type: embedding, dimensions: 8, targets: [{ upstream: one, model: one }] } }
`;

test("a start loads neither databases, clients, telemetry nor image code that is not configured", async () => {
  expect(await loadedWith(remote)).toEqual(["ipaddr.js", "libsql"]);
});

test("a start without a configuration file loads no more, apart from sharp a moment later", async () => {
  const loaded = await loadedWith();

  expect(loaded.filter((name) => name !== "sharp")).toEqual(["ipaddr.js", "libsql"]);
});
