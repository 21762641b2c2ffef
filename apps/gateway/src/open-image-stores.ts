import type { Logger } from "pino";
import type { Config } from "./config/config.js";
import type { LinkedPictures } from "./http/handlers/retrieveImageFile.js";
import type { ProcessIdentity } from "./http/spool.js";
import { createPictureFetcher, type FetchPicture } from "./images/fetch-picture.js";
import { createIdempotency, type Idempotency } from "./images/idempotency.js";
import { createSignedLinks, openLinkSecret } from "./images/signed-links.js";
import type { Storage } from "./open-storage.js";
import { openDiskAnswerStore } from "./storage/disk-answer-store.js";
import { openDiskPictureStore } from "./storage/disk-picture-store.js";

/** Where pictures and answers are kept, and how pictures elsewhere are fetched. */
export interface ImageStores {
  readonly pictures: LinkedPictures;
  readonly idempotency: Idempotency;
  readonly fetchPicture: FetchPicture;
  close(): Promise<void>;
}

export interface ImageStoresNeeds {
  readonly config: Config;
  readonly storage: Pick<Storage, "openAnswers">;
  readonly self: ProcessIdentity;
  readonly log: Logger;
}

const fetchTimeoutMs = 60_000;
/** A link is signed after its picture is kept and must not outlive it. */
const graceMs = 60_000;

export async function openImageStores({
  config,
  storage,
  self,
  log,
}: ImageStoresNeeds): Promise<ImageStores> {
  const { dataDir } = config;
  const { linkTtlMs, storeBytesMax, linkSecret } = config.pictures;
  const now = Date.now;
  const links = createSignedLinks({
    secret: await openLinkSecret(dataDir, linkSecret),
    ttlMs: linkTtlMs,
    now,
  });
  const store = await openDiskPictureStore({
    dataDir,
    self,
    log,
    now,
    bytesMax: storeBytesMax,
    ttlMs: linkTtlMs + graceMs,
  });
  const onFailure = (failure: unknown) =>
    log.warn({ err: failure }, "An answer could not be kept for its Idempotency-Key.");
  const keeping = { now, bytesMax: config.limits.answerBytesMax, onFailure };
  const answers = await (storage.openAnswers?.(keeping) ?? openDiskAnswerStore({ ...keeping, dataDir }));
  return {
    pictures: { store, links },
    idempotency: createIdempotency(answers, { onFailure }),
    fetchPicture: createPictureFetcher({ timeoutMs: fetchTimeoutMs }),
    close: async () => {
      await store.close();
      await answers.close();
    },
  };
}
