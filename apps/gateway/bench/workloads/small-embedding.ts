import { embeddingCase } from "./embedding-case.js";
import type { Workload } from "./workload.js";

export const smallEmbedding: Workload = {
  name: "small-embedding",
  title: "One input",
  question: "One input, one vector of 1,536 numbers: what does the gateway itself cost?",
  cases: (["json", "base64"] as const).map((encoding) =>
    embeddingCase({ model: "plain", encoding, inputs: 1, variants: 4096 }),
  ),
  concurrency: [1, 32, 256],
  warmUpRequests: 15_000,
  quick: { concurrency: [1, 32], labels: ["JSON", "base64"] },
};
