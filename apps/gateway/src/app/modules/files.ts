import type { Config } from "@model-gateway/config/config";
import { FileService } from "../../files/file-service.js";
import type { FileStore } from "../../files/file-store.js";
import { openDiskFileStore } from "../../storage/files/disk-file-store.js";
import { S3FileStore } from "../../storage/files/s3-file-store.js";
import type { Foundation } from "./foundation.js";
import { defineModule } from "./module.js";

/** Files of callers, and results of batches: in the bucket for images if there is one. */
export const files = defineModule({
  name: "files",
  settings: { restart: ["dataDir", "databaseUrl", "storedFiles"] },
  open: async (needs: Foundation, settings) => {
    const { storage, log } = needs;
    const store = await openStore(needs, settings);
    const service = new FileService({
      store,
      index: storage.files,
      settings: settings.storedFiles,
      now: Date.now,
      log,
    });
    service.start();
    return { services: { files: service }, close: () => service.close() };
  },
});

async function openStore(
  { self, log, disk, bucket }: Foundation,
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
): Promise<FileStore> {
  if (bucket !== undefined) return new S3FileStore({ bucket: bucket.files, now: Date.now });
  if (databaseUrl !== undefined)
    log.info(
      "Files of callers are on the disk of this gateway. Several gateways on one database need a bucket: images.store.",
    );
  return openDiskFileStore({ dataDir, disk, self });
}
