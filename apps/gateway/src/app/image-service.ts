import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import { GatewayError } from "../errors.js";
import type { LinkedImages } from "../http/operations/retrieveImageFile.js";
import type { ProcessIdentity } from "../http/request/read-form.js";
import { createDraw, type Draw } from "../images/create-image.js";
import type { DeliveryTools } from "../images/delivery/deliver.js";
import { createSignedLinks, openLinkSecret } from "../images/delivery/signed-links.js";
import { ImageFetchError } from "../images/fetch/check-url.js";
import { createImageFetcher, type FetchImage } from "../images/fetch/fetch-image.js";
import { createLinkReader, type ReadLinks } from "../images/fetch/read-links.js";
import { createIdempotency, type Idempotency } from "../images/idempotency/idempotency.js";
import type { Dispatch } from "../scheduling/dispatch.js";
import { openDiskImageStore } from "../storage/images/disk-image-store.js";
import { openDiskResponseStore } from "../storage/images/disk-response-store.js";
import type { Storage } from "../storage/open-storage.js";

/** All that is needed to make images, hand them over, and take them in. */
export interface ImageService {
  readonly draw: Draw;
  readonly readLinks: ReadLinks;
  readonly images: LinkedImages;
}

export interface ImageServiceNeeds {
  readonly config: Config;
  readonly dispatch: Dispatch;
  readonly stores: ImageStores;
}

const linkBytesMax = 64 * 1024 * 1024;

export function createImageService({ config, dispatch, stores }: ImageServiceNeeds): ImageService {
  const { images, idempotency, fetchImage } = stores;
  const { store, links } = images;
  const toolsFor = (name: string, origin: string): DeliveryTools => {
    const upstream = config.upstreams.get(name);
    const allowPrivate = upstream !== undefined && upstream.provider !== "local" && upstream.allowPrivateUrls;
    return {
      fetchLink: (url, signal) =>
        fetchImage(url, { allowPrivate, bytesMax: linkBytesMax, signal }).catch((failure: unknown) =>
          Promise.reject(ofUpstream(failure)),
        ),
      store: async (content, format) => `${origin}${links.sign(await store.put(content, format)).path}`,
    };
  };
  return {
    draw: createDraw({ dispatch, toolsFor, idempotency }),
    readLinks: createLinkReader(fetchImage),
    images,
  };
}

/** A link that an upstream gave and that cannot be followed is its failure, not the caller's. */
function ofUpstream(failure: unknown): unknown {
  if (!(failure instanceof ImageFetchError)) return failure;
  return new GatewayError(
    "upstream_invalid_answer",
    "The upstream answered with a link that cannot be followed.",
    { cause: failure },
  );
}

/** Where images and answers are kept, and how images elsewhere are fetched. */
export interface ImageStores {
  readonly images: LinkedImages;
  readonly idempotency: Idempotency;
  readonly fetchImage: FetchImage;
  close(): Promise<void>;
}

export interface ImageStoresNeeds {
  readonly config: Config;
  readonly storage: Pick<Storage, "openResponseStore">;
  readonly self: ProcessIdentity;
  readonly log: Logger;
}

const fetchTimeoutMs = 60_000;
/** A link is signed after its image is kept and must not outlive it. */
const graceMs = 60_000;

export async function openImageStores({
  config,
  storage,
  self,
  log,
}: ImageStoresNeeds): Promise<ImageStores> {
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
    log.warn({ err: failure }, "An answer could not be kept for its Idempotency-Key.");
  const keeping = { now, bytesMax: config.limits.idempotencyBytesMax, onFailure };
  const answers = await (storage.openResponseStore?.(keeping) ??
    openDiskResponseStore({ ...keeping, dataDir }));
  return {
    images: { store, links },
    idempotency: createIdempotency(answers, { onFailure }),
    fetchImage: createImageFetcher({ timeoutMs: fetchTimeoutMs }),
    close: async () => {
      await store.close();
      await answers.close();
    },
  };
}
