import { nextMessage, nodeProgram, startProgram } from "../processes.js";
import { gateway, otherGateway } from "./gateway.js";
import { findNginx } from "./nginx.js";
import { findPortkey } from "./portkey.js";
import type { AbsentRival, Rival } from "./rival.js";

/** The measure of every ratio. */
export const bareProxy: Rival = {
  name: "bare proxy",
  description: "node:http, undici `Pool.request` and a pipe; it checks nothing",
  headers: () => ({}),
  start: async ({ upstreamPort, cores }) => {
    const child = startProgram(
      nodeProgram("rivals/bare-proxy.js", { arguments: [String(upstreamPort)], cores }),
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
  /** Another checkout of this repository, whose gateway is measured as well. */
  readonly other: string | undefined;
  /** Install folder of the rivals, reused by later runs. */
  readonly cacheFolder: string;
}

/** Finds the rivals of a run. Portkey is installed when it is looked for. */
export function chooseRivals({ names, other, cacheFolder }: RivalChoice): (Rival | AbsentRival)[] {
  const isChosen = (name: string) => name === "other" || (names?.includes(name) ?? true);
  return [
    gateway,
    ...(other === undefined ? [] : [otherGateway(other)]),
    bareProxy,
    memoryServer,
    ...(isChosen("Portkey") ? [findPortkey(cacheFolder)] : []),
    findNginx(),
  ].filter(({ name }) => isChosen(name));
}
