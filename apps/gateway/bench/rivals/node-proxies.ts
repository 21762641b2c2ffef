import { nextMessage, nodeProgram, startProgram } from "../processes.js";
import type { Rival, RivalOptions, StartedRival } from "./rival.js";

/** The measure of every ratio. */
export const bareProxy: Rival = {
  name: "bare proxy",
  description: "node:http, undici `Pool.request` and a pipe; it checks nothing",
  headers: () => ({}),
  start: (options) => start("rivals/bare-proxy.js", options),
};

export const dispatchProxy: Rival = {
  name: "bare dispatch",
  description: "the bare proxy with undici `Pool.dispatch`, without stream objects",
  headers: () => ({}),
  start: (options) => start("rivals/dispatch-proxy.js", options),
};

export const bareAnswer: Rival = {
  name: "bare answer",
  description: "node:http that responds to one input from memory: the upper bound for a cache hit",
  headers: () => ({}),
  start: (options) => start("rivals/bare-answer.js", options),
};

async function start(script: string, { upstreamPort, cores }: RivalOptions): Promise<StartedRival> {
  const child = startProgram(
    nodeProgram(script, { arguments: [String(upstreamPort)], ...(cores === undefined ? {} : { cores }) }),
  );
  const { port } = (await nextMessage(child)) as { port: number };
  return { child, port };
}
