import { openUploadFolder } from "../../http/request/read-form.js";
import { DiskSpace, type DiskState } from "../../storage/disk-space.js";
import { stateMetrics } from "../../telemetry/metrics/state-metrics.js";
import type { BaseServices } from "./base.js";
import { defineModule } from "./module.js";

const messages: Readonly<Record<DiskState, string>> = {
  ok: "The disk of the data folder has room again.",
  low: "The disk of the data folder will be full soon. Free some space.",
  full: "The disk of the data folder is full. Large files, images as links and images with an Idempotency-Key are refused until there is room.",
};

/** The folder for large forms, and the free space of its disk. */
export const dataFolder = defineModule({
  name: "data folder",
  settings: { restart: ["dataDir", "limits"] },
  open: async ({ log, self }: BaseServices, { dataDir, limits }) => {
    const uploadDir = await openUploadFolder(dataDir, self);
    const space = new DiskSpace({
      folder: dataDir,
      reserveBytes: limits.diskReserveBytes,
      onChange: (state, freeBytes) => {
        const level = { ok: "info", low: "warn", full: "error" } as const;
        log[level[state]]({ freeBytes }, messages[state]);
      },
    });
    await space.check();
    return {
      services: { uploadDir, disk: space },
      metrics: () => stateMetrics({ diskFreeBytes: () => space.freeBytes }),
      close: () => space.close(),
    };
  },
});
