import { generationCase } from "./image-cases.js";
import type { Workload } from "./workload.js";

export const imageGeneration: Workload = {
  name: "image-generation",
  title: "Image generation",
  question: "A prompt, and an image of 1.5 MB of base64 back.",
  cases: [generationCase()],
  concurrency: [1, 8, 32],
  warmUpRequests: 256,
  quick: { concurrency: [8], labels: ["1.5 MB"] },
};
