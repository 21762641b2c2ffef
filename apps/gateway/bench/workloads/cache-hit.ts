import { embeddingCase } from "./embedding-case.js";
import type { Workload } from "./workload.js";

export const cacheHit: Workload = {
  name: "cache-hit",
  title: "Full cache hit",
  question: "Inputs that the gateway has seen before; its rivals ask the upstream.",
  cases: (["json", "base64"] as const).map((encoding) =>
    embeddingCase({ model: "cached", encoding, inputs: 1, variants: 512 }),
  ),
  concurrency: [1, 32, 256],
  warmUpRequests: 15_000,
  quick: { concurrency: [32], labels: ["JSON", "base64"] },
};
