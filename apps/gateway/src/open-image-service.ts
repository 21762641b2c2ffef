import type { Logger } from "pino";
import type { Config } from "./config/config.js";
import { GatewayError } from "./errors.js";
import type { LinkedPictures } from "./http/handlers/retrieveImageFile.js";
import type { ProcessIdentity } from "./http/spool.js";
import type { DeliveryTools } from "./images/deliver.js";
import { createDraw, type Draw } from "./images/draw.js";
import { createPictureFetcher } from "./images/fetch-picture.js";
import { PictureFetchError } from "./images/fetch-picture-error.js";
import { createIdempotency } from "./images/idempotency.js";
import { createLinkReader, type ReadLinks } from "./images/read-links.js";
import { createSignedLinks, openLinkSecret } from "./images/signed-links.js";
import type { Dispatch } from "./scheduling/dispatch.js";
import { openDiskAnswerStore } from "./storage/disk-answer-store.js";
import { openDiskPictureStore } from "./storage/disk-picture-store.js";

/** All that is needed to make pictures, hand them over, and take them in. */
export interface ImageService {
  readonly draw: Draw;
  readonly readLinks: ReadLinks;
  readonly pictures: LinkedPictures;
  close(): Promise<void>;
}

export interface ImageServiceNeeds {
  readonly config: Config;
  readonly dispatch: Dispatch;
  readonly self: ProcessIdentity;
  readonly log: Logger;
}

const fetchTimeoutMs = 60_000;
const linkBytesMax = 64 * 1024 * 1024;
/** A link is signed after its picture is kept and must not outlive it. */
const graceMs = 60_000;

export async function openImageService({
  config,
  dispatch,
  self,
  log,
}: ImageServiceNeeds): Promise<ImageService> {
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
  const answers = await openDiskAnswerStore({
    dataDir,
    now,
    bytesMax: config.limits.answerBytesMax,
    onFailure,
  });
  const fetchPicture = createPictureFetcher({ timeoutMs: fetchTimeoutMs });

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
    draw: createDraw({ dispatch, toolsFor, idempotency: createIdempotency(answers, { onFailure }) }),
    readLinks: createLinkReader(fetchPicture),
    pictures: { store, links },
    close: async () => {
      await store.close();
      await answers.close();
    },
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
