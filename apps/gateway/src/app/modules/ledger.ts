import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { wait } from "@model-gateway/runtime/wait";
import { stateMetrics } from "../../telemetry/metrics/state-metrics.js";
import { openLedger } from "../../usage/ledger/ledger.js";
import { Retention } from "../../usage/ledger/retention.js";
import type { Foundation } from "./foundation.js";
import { defineModule } from "./module.js";

/** The ledger, with the spool of this worker. */
export const ledger = defineModule({
  name: "ledger",
  settings: { restart: ["dataDir", "limits"] },
  open: async ({ storage, worker, ledgerGatherMs, log }: Foundation, { dataDir, limits }) => {
    const root = join(dataDir, "ledger-spool");
    const opened = await openLedger({
      folder: join(root, String(worker.slot)),
      orphans: await orphansIn(root, worker),
      store: storage.ledger,
      bytesMax: limits.ledgerBytesMax,
      ...(ledgerGatherMs === undefined ? {} : { gatherMs: ledgerGatherMs }),
      log,
      clock: { now: Date.now, wait },
      random: Math.random,
    });
    return {
      services: { ledger: opened },
      metrics: () => stateMetrics({ ledger: () => opened.snapshot() }),
      close: () => opened.close(),
    };
  },
});

/** The spools of workers that no longer run. The first worker adopts them. */
async function orphansIn(root: string, { slot, count }: Foundation["worker"]): Promise<string[]> {
  const folders = slot === 1 ? await readdir(root).catch(() => []) : [];
  const orphans = folders.filter((name) => /^\d+$/.test(name) && Number(name) > count);
  return orphans.map((name) => join(root, name));
}

/** Deletes old rows of the ledger. */
export const retention = defineModule({
  name: "retention",
  settings: { reload: ["retention"] },
  open: ({ storage, wallClock, log }: Foundation, settings) => {
    let keepMs = settings.retention?.requestsMs;
    const deleting = new Retention({
      store: storage.retention,
      keepMs: () => keepMs,
      clock: wallClock,
      random: Math.random,
      log,
    });
    return {
      services: {},
      metrics: () => stateMetrics({ deletedRows: () => deleting.deleted }),
      adopt: ({ config }) => {
        keepMs = config.retention?.requestsMs;
      },
      close: () => deleting.close(),
    };
  },
});
