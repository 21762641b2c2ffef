import { embeddingCase } from "./embedding-case.js";
import type { Workload } from "./workload.js";

export const joinedRequests: Workload = {
  name: "joined-requests",
  title: "Joined requests",
  question: "Small requests that the gateway joins into fewer calls; its rivals send each by itself.",
  cases: (["json", "base64"] as const).map((encoding) =>
    embeddingCase({ model: "joined", encoding, inputs: 1, variants: 4096 }),
  ),
  concurrency: [32, 256],
  warmUpRequests: 15_000,
  quick: { concurrency: [32], labels: ["base64"] },
};
