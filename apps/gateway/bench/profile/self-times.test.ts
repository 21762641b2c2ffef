import { expect, test } from "vitest";
import { byOwner, type CpuProfile, selfTimes } from "./self-times.js";

const frame = (functionName: string, url: string, lineNumber = 0) => ({ functionName, url, lineNumber });
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame("(idle)", "") },
    { id: 2, callFrame: frame("writev", "") },
    {
      id: 3,
      callFrame: frame(
        "onData",
        "file:///a/node_modules/.pnpm/undici@7.0.0/node_modules/undici/lib/client.js",
        41,
      ),
    },
    { id: 4, callFrame: frame("", "file:///a/apps/gateway/dist/embeddings/coalescer.js", 9) },
    {
      id: 5,
      callFrame: frame(
        "onData",
        "file:///a/node_modules/.pnpm/undici@7.0.0/node_modules/undici/lib/client.js",
        41,
      ),
    },
    { id: 6, callFrame: frame("emit", "node:events", 470) },
    { id: 7, callFrame: frame("ask", "file:///a/node_modules/undici/lib/pool.js", 0) },
  ],
  samples: [1, 2, 3, 4, 5, 6, 7],
  timeDeltas: [1000, 40, 10, 20, 15, 5, 10],
};

test("self time is attributed to its owner and idle time is not counted", () => {
  expect(selfTimes(profile)).toEqual([
    { owner: "native", location: "writev", share: 0.4 },
    { owner: "undici", location: "onData client.js:42", share: 0.25 },
    { owner: "embeddings/coalescer.js", location: "(anonymous) coalescer.js:10", share: 0.2 },
    { owner: "undici", location: "ask pool.js:1", share: 0.1 },
    { owner: "node:events", location: "emit node:events:471", share: 0.05 },
  ]);
});

test("the self times of one package are summed", () => {
  expect(byOwner(selfTimes(profile))).toEqual([
    { owner: "native", share: 0.4 },
    { owner: "undici", share: 0.35 },
    { owner: "embeddings/coalescer.js", share: 0.2 },
    { owner: "node:events", share: 0.05 },
  ]);
});
