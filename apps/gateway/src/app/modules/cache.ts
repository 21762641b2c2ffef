import { openVectorCache } from "../../storage/vectors/open-vector-cache.js";
import type { Foundation } from "./foundation.js";
import { defineModule } from "./module.js";

/** Cached vectors: in memory, in Redis and on disk. */
export const cache = defineModule({
  name: "cache",
  settings: { restart: ["dataDir", "limits", "cache"] },
  open: async ({ redis, disk, worker, log }: Foundation, config) => {
    const opened = await openVectorCache({ config, redis, disk, worker: worker.slot, log });
    return { services: { cache: opened }, close: () => opened.close() };
  },
});
