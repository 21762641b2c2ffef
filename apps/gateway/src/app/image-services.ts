import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import type { ProcessIdentity } from "../domain/process-identity.js";
import { storageUnavailable } from "../errors.js";
import type { LinkedImages } from "../http/operations/retrieveImageFile.js";
import { ImageDecoder } from "../images/delivery/image-decoder.js";
import type { ImageStore } from "../images/delivery/image-store.js";
import { createSignedLinks, openLinkSecret } from "../images/delivery/signed-links.js";
import { createImageFetcher, type FetchImage } from "../images/fetch/fetch-image.js";
import { Idempotency } from "../images/idempotency/idempotency.js";
import type { DiskSpace } from "../storage/disk-space.js";
import { openDiskImageStore } from "../storage/images/disk-image-store.js";
import { openDiskResponseStore } from "../storage/images/disk-response-store.js";
import { openS3ImageStore } from "../storage/images/s3-image-store.js";
import { openUploadSpool } from "../storage/images/upload-spool.js";
import type { Storage } from "../storage/open-storage.js";
import type { Bucket } from "../storage/s3/open-bucket.js";

/** The stores for images and responses, and the fetcher for remote images. */
export interface ImageServices {
  /** Images behind links, and the signatures of the links. */
  readonly files: LinkedImages & { readonly store: ImageStore };
  readonly idempotency: Idempotency;
  readonly fetchImage: FetchImage;
  readonly decoder: ImageDecoder;
  close(): Promise<void>;
}

export interface ImageServicesOptions {
  readonly config: Config;
  readonly storage: Pick<Storage, "openResponseStore" | "settings" | "availability">;
  readonly self: ProcessIdentity;
  readonly log: Logger;
  readonly disk: DiskSpace;
  /** Absent: images and responses are on disk. */
  readonly bucket: Bucket | undefined;
  /** Default: it fetches from the public internet alone. Overridden in tests. */
  readonly fetchImage?: FetchImage;
}

const fetchTimeoutMs = 60_000;
/** A link is signed after its image is stored and must not outlive it. */
const graceMs = 60_000;
/** An upload takes longer than a write to disk. */
const uploadGraceMs = 300_000;

export async function openImageServices(options: ImageServicesOptions): Promise<ImageServices> {
  const { config, storage, log, bucket, fetchImage } = options;
  const { dataDir } = config;
  const { linkTtlMs } = config.images;
  const now = Date.now;
  const secret = await linkSecretOf(options);
  const links = createSignedLinks({ secret, ttlMs: linkTtlMs, now });
  const store = await openImageStore(options, secret);
  const onFailure = (failure: unknown) => {
    // While the database is down, one line has said so, and this would be another one for each request.
    const level = storage.availability.state() === "unavailable" ? "debug" : "warn";
    log[level]({ err: failure }, "A response could not be stored for its Idempotency-Key.");
  };
  const storing = { now, bytesMax: config.limits.idempotencyBytesMax, onFailure };
  const responses = await (storage.openResponseStore?.({
    ...storing,
    ...(bucket && { objects: bucket.responses }),
  }) ?? openDiskResponseStore({ ...storing, dataDir, disk: options.disk }));
  return {
    files: { store, links },
    idempotency: new Idempotency(responses, { onFailure }),
    fetchImage: fetchImage ?? createImageFetcher({ timeoutMs: fetchTimeoutMs }),
    decoder: new ImageDecoder(),
    close: async () => {
      await store.close();
      await responses.close();
    },
  };
}

async function openImageStore(
  { config, self, log, disk, bucket }: ImageServicesOptions,
  linkSecret: () => Buffer,
): Promise<ImageStore> {
  const { dataDir } = config;
  const { linkTtlMs, storeBytesMax: bytesMax } = config.images;
  const common = { now: Date.now, log };
  if (bucket === undefined) {
    const secret = linkSecret();
    return openDiskImageStore({
      ...common,
      dataDir,
      disk,
      self,
      bytesMax,
      secret,
      ttlMs: linkTtlMs + graceMs,
    });
  }
  const spool = await openUploadSpool({ dataDir, self, bytesMax });
  return openS3ImageStore({ ...common, spool, objects: bucket.images, ttlMs: linkTtlMs + uploadGraceMs });
}

/** Replicas that share a bucket share the secret: the configured one, or one stored in their database. */
async function linkSecretOf({ config, storage }: ImageServicesOptions): Promise<() => Buffer> {
  const { linkSecret, s3 } = config.images;
  if (s3 === undefined || linkSecret !== undefined) {
    const secret = await openLinkSecret(config.dataDir, linkSecret);
    return () => secret;
  }
  let stored: Buffer | undefined;
  // The database may be down at the start.
  await storage.availability.join(async () => {
    const { value } = await storage.settings.getOrCreate("image_link_secret", () =>
      randomBytes(32).toString("base64url"),
    );
    stored = Buffer.from(value);
  });
  return () => {
    if (stored !== undefined) return stored;
    throw storageUnavailable(new Error("The secret of links is in the database."));
  };
}
