import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import type { LinkedImages } from "../http/operations/retrieveImageFile.js";
import type { ProcessIdentity } from "../http/request/read-form.js";
import { ImageDecoder } from "../images/delivery/image-decoder.js";
import { createSignedLinks, openLinkSecret } from "../images/delivery/signed-links.js";
import { createImageFetcher, type FetchImage } from "../images/fetch/fetch-image.js";
import { createIdempotency, type Idempotency } from "../images/idempotency/idempotency.js";
import { openDiskImageStore } from "../storage/images/disk-image-store.js";
import { openDiskResponseStore } from "../storage/images/disk-response-store.js";
import type { Storage } from "../storage/open-storage.js";

/** Where images and responses are stored, and how images elsewhere are fetched. */
export interface ImageServices {
  /** Images behind links, and the signatures of the links. */
  readonly files: LinkedImages;
  readonly idempotency: Idempotency;
  readonly fetchImage: FetchImage;
  readonly decoder: ImageDecoder;
  close(): Promise<void>;
}

export interface ImageServicesOptions {
  readonly config: Config;
  readonly storage: Pick<Storage, "openResponseStore">;
  readonly self: ProcessIdentity;
  readonly log: Logger;
}

const fetchTimeoutMs = 60_000;
/** A link is signed after its image is stored and must not outlive it. */
const graceMs = 60_000;

export async function openImageServices({
  config,
  storage,
  self,
  log,
}: ImageServicesOptions): Promise<ImageServices> {
  const { dataDir } = config;
  const { linkTtlMs, storeBytesMax, linkSecret } = config.images;
  const now = Date.now;
  const links = createSignedLinks({
    secret: await openLinkSecret(dataDir, linkSecret),
    ttlMs: linkTtlMs,
    now,
  });
  const store = await openDiskImageStore({
    dataDir,
    self,
    log,
    now,
    bytesMax: storeBytesMax,
    ttlMs: linkTtlMs + graceMs,
  });
  const onFailure = (failure: unknown) =>
    log.warn({ err: failure }, "A response could not be stored for its Idempotency-Key.");
  const storing = { now, bytesMax: config.limits.idempotencyBytesMax, onFailure };
  const responses = await (storage.openResponseStore?.(storing) ??
    openDiskResponseStore({ ...storing, dataDir }));
  return {
    files: { store, links },
    idempotency: createIdempotency(responses, { onFailure }),
    fetchImage: createImageFetcher({ timeoutMs: fetchTimeoutMs }),
    decoder: new ImageDecoder(),
    close: async () => {
      await store.close();
      await responses.close();
    },
  };
}
