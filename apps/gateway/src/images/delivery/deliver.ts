import { findManifests } from "@model-gateway/content-credentials/find-manifests";
import { type ImageLabel, labelImage } from "@model-gateway/content-credentials/label-image";
import type { ContentCredentials } from "@model-gateway/domain/content-credentials";
import { GatewayError } from "@model-gateway/domain/errors";
import { isDiskFull } from "@model-gateway/domain/failure-code";
import { ImageBytes } from "@model-gateway/domain/image-bytes";
import { type ImageMetadata, recogniseFormat, signatureBytes } from "@model-gateway/domain/image-header";
import { type ImageFormat, isRaster, type RasterFormat } from "@model-gateway/domain/image-profile";
import type { Target } from "@model-gateway/domain/model";
import type { ImagesDocument, UpstreamImage } from "@model-gateway/domain/requests";
import { freeArrayBuffers } from "@model-gateway/runtime/buffer-pool";
import { joinBytes } from "@model-gateway/runtime/join-bytes";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { ImageFetchError } from "../fetch/check-url.js";
import type { FetchImage } from "../fetch/fetch-image.js";
import type { DeliveryForm } from "../options/plan.js";
import type { ImageDecoder } from "./image-decoder.js";
import type { ImageStore } from "./image-store.js";
import { type GifMetadata, walkGif } from "./inspect-gif.js";
import { inspectImage, pixelsMax } from "./inspect-image.js";
import { type SvgMetadata, walkSvg } from "./inspect-svg.js";
import type { SignedLinks } from "./signed-links.js";

const linkBytesMax = 64 * 1024 * 1024;

interface ImageDeliveryOptions {
  readonly store: ImageStore;
  readonly links: SignedLinks;
  readonly decoder: ImageDecoder;
  readonly fetchImage: FetchImage;
  /** Whether links in the replies of an upstream may lead to a private network. */
  readonly allowsPrivateUrls: (upstream: string) => boolean;
  /** The label of images without content credentials. Absent: they have none. */
  readonly labelOf?: (target: ImageSource["target"]) => ImageLabel;
}

/** Who waits for an image, where it comes from, and the background that the upstream reports. */
export interface ImageSource {
  readonly caller: string;
  readonly target: Pick<Target, "upstream" | "model">;
  readonly reported?: Background | undefined;
}

/** Takes images from upstreams and hands them to callers, in either envelope: base64 or a link. */
export class ImageDelivery {
  readonly #options: ImageDeliveryOptions;

  constructor(options: ImageDeliveryOptions) {
    this.#options = options;
  }

  /** The bytes of an image, which an upstream returns itself or as a link. */
  async contentOf(
    image: UpstreamImage,
    { upstream, signal }: { readonly upstream: string; readonly signal: AbortSignal },
  ): Promise<ImageBytes> {
    if ("content" in image) return image.content;
    const { fetchImage, allowsPrivateUrls } = this.#options;
    try {
      const allowPrivate = allowsPrivateUrls(upstream);
      return ImageBytes.fromBinary(
        await fetchImage(image.url, { allowPrivate, bytesMax: linkBytesMax, signal }),
      );
    } catch (failure) {
      if (!(failure instanceof ImageFetchError)) throw failure;
      // A broken link is the upstream's failure, not the caller's.
      throw new GatewayError(
        "upstream_invalid_reply",
        "The upstream returned a link that cannot be followed.",
        { cause: failure },
      );
    }
  }

  /**
   * Checks an image that an upstream returned, and converts it to the requested format. Only its header and its end are
   * read, unless the response needs its pixels.
   *
   * @param content The finished image owns it from now on.
   */
  async finish(content: ImageBytes, delivery: DeliveryForm, source: ImageSource): Promise<FinishedImage> {
    const finished = await this.#finish(content, delivery, source);
    if (delivery.envelope !== "b64_json") return finished;
    await inSlices(finished.content.encode(), new TimeSlice());
    // The response has the base64. Memory left to the garbage collector would make it run for every few images.
    freeArrayBuffers(finished.content.dropDecoded());
    return finished;
  }

  async #finish(content: ImageBytes, delivery: DeliveryForm, source: ImageSource): Promise<FinishedImage> {
    if (delivery.format !== undefined && !isRaster(delivery.format)) return passOn(content, delivery.format);
    const facts = await inspect(content).catch((cause: unknown) => Promise.reject(notAnImage(cause)));
    if (facts === undefined || facts.width * facts.height > pixelsMax) throw notAnImage();
    const format = delivery.format ?? facts.format;
    const { compression, background: requested, keepsCredentials } = delivery;
    const { caller, reported, target } = source;
    const isFinished = format === facts.format && (compression === undefined || format === "png");
    const isSigned = await hasCredentials(content, facts.format);
    if (isSigned && !isFinished && keepsCredentials === true) throw credentialsKept(facts.format, format);
    try {
      const finished = isFinished
        ? { ...facts, content }
        : await this.#transcode(content, { format, compression: compression ?? 100 }, caller);
      const { width, height } = finished;
      const hasAlpha = facts.hasAlpha && format !== "jpeg";
      const background = hasAlpha
        ? await this.#backgroundOf(finished.content, { caller, requested, reported })
        : "opaque";
      const credentials = isSigned ? (isFinished ? "preserved" : "removed") : "none";
      return {
        content:
          credentials === "preserved"
            ? finished.content
            : await this.#label(finished.content, { format, width, height, hasAlpha }, target),
        format,
        size: `${width}x${height}`,
        background,
        credentials,
      };
    } catch (cause) {
      throw notAnImage(cause);
    }
  }

  async #label(
    content: ImageBytes,
    metadata: ImageMetadata,
    target: ImageSource["target"],
  ): Promise<ImageBytes> {
    const { labelOf } = this.#options;
    if (labelOf === undefined) return content;
    const parts = labelImage(await decode(content), metadata, labelOf(target));
    if (parts === undefined) return content;
    const labelled = await inSlices(joinBytes(parts), new TimeSlice());
    content.release();
    return ImageBytes.fromBinary(labelled);
  }

  async #transcode(content: ImageBytes, form: Parameters<ImageDecoder["transcode"]>[1], caller: string) {
    const transcoded = await this.#options.decoder.transcode(await decode(content), form, caller);
    content.release();
    return { ...transcoded, content: ImageBytes.fromBinary(transcoded.content) };
  }

  /** The background of an image with an alpha channel. The upstream's word counts, unless it contradicts the request. */
  async #backgroundOf(
    content: ImageBytes,
    { caller, requested, reported }: BackgroundFacts,
  ): Promise<Background> {
    if (reported !== undefined && (requested === undefined || requested === reported)) return reported;
    return (await this.#options.decoder.isOpaque(content, caller)) ? "opaque" : "transparent";
  }

  /** Rejects if an image in this envelope could not be delivered now. Call it before images are bought. */
  async checkDeliverable(envelope: DeliveryForm["envelope"]): Promise<void> {
    if (envelope !== "url") return;
    const { links, store } = this.#options;
    links.checkReady();
    await store.checkWritable();
  }

  /** Wraps a finished image in the requested envelope. */
  async wrap(
    { content, format }: FinishedImage,
    {
      caller,
      envelope,
      revisedPrompt,
      origin,
    }: {
      caller: string;
      envelope: DeliveryForm["envelope"];
      revisedPrompt: string | undefined;
      origin: string;
    },
  ): Promise<ImagesDocument["data"][number]> {
    const revised = revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt };
    if (envelope === "b64_json") return { b64_json: content, ...revised };
    const { store, links } = this.#options;
    const file = await store.put(await decode(content), format, caller).catch((failure: unknown) => {
      throw isDiskFull(failure) ? unstored(failure) : failure;
    });
    freeArrayBuffers(content.dropDecoded());
    content.release();
    const { path } = links.sign(file);
    return { url: `${origin}${path}`, ...revised };
  }
}

function decode(content: ImageBytes): Promise<Buffer> {
  return inSlices(content.decode(), new TimeSlice());
}

interface BackgroundFacts {
  readonly caller: string;
  readonly requested: Background | undefined;
  readonly reported: Background | undefined;
}

/** Undefined if it is not a whole raster image. */
async function inspect(content: ImageBytes): Promise<ImageMetadata | undefined> {
  const format = recogniseFormat(content.read(0, signatureBytes));
  if (format === undefined) return undefined;
  return inspectImage({
    format,
    bytes: content.bytes,
    inspect: (use) => use((position, length) => content.read(position, length)),
  });
}

/** Whether a raster image has a C2PA manifest. Only the headers of its blocks are read. */
async function hasCredentials(content: ImageBytes, format: RasterFormat): Promise<boolean> {
  try {
    const found = await findManifests(format, content.bytes, (position, length) =>
      content.read(position, length),
    );
    return found.length > 0;
  } catch (cause) {
    throw notAnImage(cause);
  }
}

/** Checks an image that the gateway cannot convert. Another format than the requested one is a failure. */
async function passOn(content: ImageBytes, format: "gif" | "svg"): Promise<FinishedImage> {
  try {
    const walk = { gif: walkGif, svg: walkSvg }[format];
    const { width, height, hasManifest } = await inSlices<GifMetadata | SvgMetadata>(
      walk(await decode(content)),
      new TimeSlice(),
    );
    const credentials = hasManifest ? "preserved" : "none";
    return { content, format, credentials, ...(width !== undefined && { size: `${width}x${height}` }) };
  } catch (cause) {
    throw notAnImage(cause);
  }
}

function notAnImage(cause?: unknown): GatewayError {
  return new GatewayError("upstream_invalid_reply", "The upstream returned data that is not an image.", {
    cause,
  });
}

/** The upstream returned another format than it was asked for, and has signed it. */
function credentialsKept(format: RasterFormat, requested: RasterFormat): GatewayError {
  return new GatewayError(
    "upstream_invalid_reply",
    `The image was created, but the upstream returned a signed ${format} where ${requested} was requested. A conversion would remove its content credentials, which this model keeps. Ask for '${format}' in 'output_format'.`,
    { param: "output_format", headers: { "x-should-retry": "false" } },
  );
}

/** The disk became full after the image was bought. A retry would buy another one. */
function unstored(cause: unknown): GatewayError {
  return new GatewayError(
    "storage_full",
    "The image was created, but the gateway's disk is full, so it could not be stored behind a link. Ask for 'b64_json'.",
    { cause, headers: { "x-should-retry": "false" } },
  );
}

/** A checked image in the requested format, with its properties. */
export interface FinishedImage {
  readonly content: ImageBytes;
  readonly format: ImageFormat;
  /** Absent for an svg that declares none. */
  readonly size?: string;
  /** Absent for a gif and an svg: only a decoder knows it. */
  readonly background?: Background;
  readonly credentials: ContentCredentials;
}

type Background = "transparent" | "opaque";
