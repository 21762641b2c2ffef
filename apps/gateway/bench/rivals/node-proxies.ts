import { nextMessage, nodeProgram, startProgram } from "../processes.js";
import type { Ground, Rival, Started } from "./rival.js";

export const bareProxy: Rival = {
  name: "bare proxy",
  description: "node:http, undici `Pool.request` and a pipe: it looks at nothing",
  headers: () => ({}),
  start: (ground) => start("rivals/bare-proxy.js", ground),
};

export const dispatchProxy: Rival = {
  name: "bare dispatch",
  description: "the same with undici `Pool.dispatch`, without stream objects",
  headers: () => ({}),
  start: (ground) => start("rivals/dispatch-proxy.js", ground),
};

export const bareAnswer: Rival = {
  name: "bare answer",
  description: "node:http alone, which answers one input from memory: the most that a cache hit can reach",
  headers: () => ({}),
  start: (ground) => start("rivals/bare-answer.js", ground),
};

async function start(script: string, { upstreamPort, cores }: Ground): Promise<Started> {
  const child = startProgram(
    nodeProgram(script, { arguments: [String(upstreamPort)], ...(cores === undefined ? {} : { cores }) }),
  );
  const { port } = (await nextMessage(child)) as { port: number };
  return { child, port };
}
