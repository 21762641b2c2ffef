import { embeddingCase } from "./embedding-case.js";
import type { Workload } from "./workload.js";

export const batchOf2048: Workload = {
  name: "batch-of-2048",
  title: "Batch of 2,048",
  question: "The largest batch there is: 190 KB in; 64 MB of JSON or 17 MB of base64 out.",
  cases: (["json", "base64"] as const).map((encoding) =>
    embeddingCase({ model: "plain", encoding, inputs: 2048, variants: 8 }),
  ),
  concurrency: [1, 4],
  warmUpRequests: 16,
  quick: { concurrency: [1], labels: ["JSON", "base64"] },
  watchesStalls: true,
};
