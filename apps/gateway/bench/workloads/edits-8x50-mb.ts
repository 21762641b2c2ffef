import { editCase } from "./image-cases.js";
import type { Workload } from "./workload.js";

export const edits8x50Mb: Workload = {
  name: "edits-8x50-mb",
  title: "Large edits",
  question: "Eight forms of 50 MB at the same time: what does it cost in memory?",
  cases: [editCase(5)],
  concurrency: [8],
  warmUpRequests: 8,
  quick: { concurrency: [8], labels: ["50 MB"] },
  uploads: true,
};
