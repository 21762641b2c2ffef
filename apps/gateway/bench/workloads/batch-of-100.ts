import { embeddingCase } from "./embedding-case.js";
import type { Workload } from "./workload.js";

export const batchOf100: Workload = {
  name: "batch-of-100",
  title: "Batch of 100",
  question: "A hundred inputs in one request, as indexing jobs send them.",
  cases: (["json", "base64"] as const).map((encoding) =>
    embeddingCase({ model: "plain", encoding, inputs: 100, variants: 64 }),
  ),
  concurrency: [1, 32],
  warmUpRequests: 256,
  quick: { concurrency: [32], labels: ["base64"] },
};
