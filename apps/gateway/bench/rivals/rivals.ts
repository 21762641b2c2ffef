import { nextMessage, nodeProgram, startProgram } from "../processes.js";
import { gateway, otherGateway } from "./gateway.js";
import { findNginx } from "./nginx.js";
import { findNode24, node24Workloads } from "./node-24.js";
import { findPortkey } from "./portkey.js";
import type { AbsentRival, Rival } from "./rival.js";

/** The measure of every ratio. */
export const bareProxy: Rival = {
  name: "bare proxy",
  description: "node:http, undici `Pool.request` and a pipe; it checks nothing",
  headers: () => ({}),
  start: async ({ upstreamPort, cores, node = process.execPath }) => {
    const child = startProgram(
      nodeProgram("rivals/bare-proxy.js", { command: node, arguments: [String(upstreamPort)], cores }),
    );
    const { port } = (await nextMessage(child)) as { port: number };
    return { child, port };
  },
};

/** The measure of a cache: it does nothing but look up a response. */
const memoryServer: Rival = {
  name: "memory server",
  description:
    "node:http, `JSON.parse` and a `Map` of complete responses; it knows every input and calls no upstream",
  workloads: ["cache-hit"],
  headers: () => ({}),
  start: async ({ cores }) => {
    const child = startProgram(nodeProgram("rivals/memory-server.js", { cores }));
    const { port } = (await nextMessage(child)) as { port: number };
    return { child, port };
  },
};

export interface RivalChoice {
  /** The rivals to use; all if absent. */
  readonly names: readonly string[] | undefined;
  /** Whether Node 24 takes part if no rivals are named. */
  readonly comparesNodes: boolean;
  /** The names of the workloads to run. */
  readonly workloads: readonly string[];
  /** Another checkout of this repository, whose gateway is measured as well. */
  readonly other: string | undefined;
  /** Install folder of the rivals, reused by later runs. */
  readonly cacheFolder: string;
}

/** Finds the rivals of a run. Portkey and Node 24 are installed when they are looked for. */
export function chooseRivals(choice: RivalChoice): (Rival | AbsentRival)[] {
  const { names, other, cacheFolder } = choice;
  const isChosen = (name: string) => name === "other" || (names?.includes(name) ?? true);
  const wantsNode24 = names?.some((name) => name.endsWith(" on Node 24")) ?? choice.comparesNodes;
  return [
    gateway,
    ...(other === undefined ? [] : [otherGateway(other)]),
    bareProxy,
    memoryServer,
    ...(wantsNode24 && choice.workloads.some((name) => node24Workloads.includes(name))
      ? findNode24(bareProxy, cacheFolder)
      : []),
    ...(isChosen("Portkey") ? [findPortkey(cacheFolder)] : []),
    findNginx(),
  ].filter(({ name }) => isChosen(name));
}
