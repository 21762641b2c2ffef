import type { Config } from "./config/config.js";
import { GatewayError } from "./errors.js";
import type { LinkedPictures } from "./http/handlers/retrieveImageFile.js";
import type { DeliveryTools } from "./images/deliver.js";
import { createDraw, type Draw } from "./images/draw.js";
import { PictureFetchError } from "./images/fetch-picture-error.js";
import { createLinkReader, type ReadLinks } from "./images/read-links.js";
import type { ImageStores } from "./open-image-stores.js";
import type { Dispatch } from "./scheduling/dispatch.js";

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
