import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import { GatewayError } from "../errors.js";
import type { LinkedPictures } from "../http/operations/retrieveImageFile.js";
import type { ProcessIdentity } from "../http/request/read-form.js";
import { createDraw, type Draw } from "../images/create-image.js";
import type { DeliveryTools } from "../images/delivery/deliver.js";
import { createSignedLinks, openLinkSecret } from "../images/delivery/signed-links.js";
import { PictureFetchError } from "../images/fetch/check-url.js";
import { createPictureFetcher, type FetchPicture } from "../images/fetch/fetch-image.js";
import { createLinkReader, type ReadLinks } from "../images/fetch/read-links.js";
import { createIdempotency, type Idempotency } from "../images/idempotency/idempotency.js";
import type { Dispatch } from "../scheduling/dispatch.js";
import { openDiskPictureStore } from "../storage/images/disk-image-store.js";
import { openDiskAnswerStore } from "../storage/images/disk-response-store.js";
import type { Storage } from "../storage/open-storage.js";

/** All that is needed to make pictures, hand them over, and take them in. */
export interface ImageService {
  readonly draw: Draw;
  readonly readLinks: ReadLinks;
  readonly pictures: LinkedPictures;
}

export interface ImageServiceNeeds {
  readonly config: Config;
  readonly dispatch: Dispatch;
  readonly stores: ImageStores;
}

const linkBytesMax = 64 * 1024 * 1024;

export function createImageService({ config, dispatch, stores }: ImageServiceNeeds): ImageService {
  const { pictures, idempotency, fetchPicture } = stores;
  const { store, links } = pictures;
  const toolsFor = (name: string, origin: string): DeliveryTools => {
    const upstream = config.upstreams.get(name);
    const allowPrivate = upstream !== undefined && upstream.provider !== "local" && upstream.allowPrivateUrls;
    return {
      fetchLink: (url, signal) =>
        fetchPicture(url, { allowPrivate, bytesMax: linkBytesMax, signal }).catch((failure: unknown) =>
          Promise.reject(ofUpstream(failure)),
        ),
      store: async (content, format) => `${origin}${links.sign(await store.put(content, format)).path}`,
    };
  };
  return {
    draw: createDraw({ dispatch, toolsFor, idempotency }),
    readLinks: createLinkReader(fetchPicture),
    pictures,
  };
}

/** A link that an upstream gave and that can not be followed is its failure, not the caller's. */
function ofUpstream(failure: unknown): unknown {
  if (!(failure instanceof PictureFetchError)) return failure;
  return new GatewayError(
    "upstream_invalid_answer",
    "The upstream answered with a link that can not be followed.",
    { cause: failure },
  );
}

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
