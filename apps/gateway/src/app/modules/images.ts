import { randomBytes } from "node:crypto";
import type { Config } from "@model-gateway/config/config";
import { storageUnavailable } from "@model-gateway/domain/errors";
import type { LinkedImages } from "../../api/operations/retrieveImageFile.js";
import { ImageDecoder } from "../../images/delivery/image-decoder.js";
import type { ImageStore } from "../../images/delivery/image-store.js";
import { createSignedLinks, openLinkSecret } from "../../images/delivery/signed-links.js";
import { createImageFetcher, type FetchImage } from "../../images/fetch/fetch-image.js";
import { Idempotency } from "../../images/idempotency/idempotency.js";
import { openDiskImageStore } from "../../storage/images/disk-image-store.js";
import { openDiskResponseStore } from "../../storage/images/disk-response-store.js";
import { openS3ImageStore } from "../../storage/images/s3-image-store.js";
import { openUploadSpool } from "../../storage/images/upload-spool.js";
import type { Foundation } from "./foundation.js";
import { defineModule } from "./module.js";

/** The stores for images and responses, and the fetcher for remote images. */
interface ImageServices {
  /** Images behind links, and the signatures of the links. */
  readonly files: LinkedImages & { readonly store: ImageStore };
  readonly idempotency: Idempotency;
  readonly fetchImage: FetchImage;
  readonly decoder: ImageDecoder;
}

const fetchTimeoutMs = 60_000;
/** A link is signed after its image is stored and must not outlive it. */
const graceMs = 60_000;
/** An upload takes longer than a write to disk. */
const uploadGraceMs = 300_000;

export const images = defineModule({
  name: "images",
  settings: { restart: ["dataDir", "images", "limits"] },
  open: async (needs: Foundation, settings) => {
    const secret = await linkSecretOf(needs, settings);
    const links = createSignedLinks({ secret, ttlMs: settings.images.linkTtlMs, now: Date.now });
    const store = await openImageStore(needs, settings, secret);
    const onFailure = (failure: unknown) => {
      // While the database is down, one line has said so, and this would be another one for each request.
      const level = needs.storage.availability.state() === "unavailable" ? "debug" : "warn";
      needs.log[level]({ err: failure }, "A response could not be stored for its Idempotency-Key.");
    };
    const responses = await openResponseStore(needs, settings, onFailure);
    const service: ImageServices = {
      files: { store, links },
      idempotency: new Idempotency(responses, { onFailure }),
      fetchImage: needs.fetchImage ?? createImageFetcher({ timeoutMs: fetchTimeoutMs }),
      decoder: new ImageDecoder(),
    };
    return {
      services: { images: service },
      close: async () => {
        await store.close();
        await responses.close();
      },
    };
  },
});

type ImageConfig = Pick<Config, "dataDir" | "images" | "limits">;

async function openResponseStore(
  { storage, disk, bucket }: Foundation,
  { dataDir, limits }: ImageConfig,
  onFailure: (failure: unknown) => void,
) {
  const storing = { now: Date.now, bytesMax: limits.idempotencyBytesMax, onFailure };
  return (
    (await storage.openResponseStore?.({ ...storing, ...(bucket && { objects: bucket.responses }) })) ??
    openDiskResponseStore({ ...storing, dataDir, disk })
  );
}

async function openImageStore(
  { self, log, disk, bucket }: Foundation,
  { dataDir, images: { linkTtlMs, storeBytesMax: bytesMax } }: ImageConfig,
  linkSecret: () => Buffer,
): Promise<ImageStore> {
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
async function linkSecretOf(
  { storage }: Foundation,
  { dataDir, images: { linkSecret, s3 } }: ImageConfig,
): Promise<() => Buffer> {
  if (s3 === undefined || linkSecret !== undefined) {
    const secret = await openLinkSecret(dataDir, linkSecret);
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
