import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import type { ProcessIdentity } from "../domain/process-identity.js";
import { FileService } from "../files/file-service.js";
import type { DiskSpace } from "../storage/disk-space.js";
import { openDiskFileStore } from "../storage/files/disk-file-store.js";
import { S3FileStore } from "../storage/files/s3-file-store.js";
import type { Storage } from "../storage/open-storage.js";
import type { Bucket } from "../storage/s3/open-bucket.js";

interface FileServiceOptions {
  readonly config: Config;
  readonly storage: Pick<Storage, "files">;
  readonly self: ProcessIdentity;
  readonly log: Logger;
  readonly disk: DiskSpace;
  readonly bucket: Bucket | undefined;
}

/** Opens the files of callers, in the bucket for images if there is one. */
export async function openFileService(options: FileServiceOptions): Promise<FileService> {
  const { config, storage, self, log, disk, bucket } = options;
  const now = Date.now;
  if (bucket === undefined && config.databaseUrl !== undefined)
    log.info(
      "Files of callers are on the disk of this gateway. Several gateways on one database need a bucket: images.store.",
    );
  const store =
    bucket === undefined
      ? await openDiskFileStore({ dataDir: config.dataDir, disk, self })
      : new S3FileStore({ bucket: bucket.files, now });
  const files = new FileService({ store, index: storage.files, settings: config.storedFiles, now, log });
  files.start();
  return files;
}
