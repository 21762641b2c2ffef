import { batchOf100 } from "./batch-of-100.js";
import { batchOf2048 } from "./batch-of-2048.js";
import { cacheHit } from "./cache-hit.js";
import { edit10Mb } from "./edit-10-mb.js";
import { edits8x50Mb } from "./edits-8x50-mb.js";
import { imageGeneration } from "./image-generation.js";
import { joinedRequests } from "./joined-requests.js";
import { smallEmbedding } from "./small-embedding.js";
import type { Workload } from "./workload.js";

/** Every question, in the order in which they are asked and shown. */
export const workloads: readonly Workload[] = [
  smallEmbedding,
  batchOf100,
  batchOf2048,
  cacheHit,
  joinedRequests,
  imageGeneration,
  edit10Mb,
  edits8x50Mb,
];
