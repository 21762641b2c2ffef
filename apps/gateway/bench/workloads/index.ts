import { embeddingWorkloads } from "./embeddings.js";
import { imageWorkloads } from "./images.js";
import type { Workload } from "./workload.js";

/** Every workload, in the order in which it is measured and shown. */
export const workloads: readonly Workload[] = [...embeddingWorkloads, ...imageWorkloads];
