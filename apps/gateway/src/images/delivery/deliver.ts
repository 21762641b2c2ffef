import { recogniseFormat } from "../../domain/image-header.js";
import { imageInMemory } from "../../domain/image-input.js";
import type { ImageFormat } from "../../domain/image-profile.js";
import { GatewayError } from "../../errors.js";
import type { Schemas } from "../../operations.js";
import { ImageFetchError } from "../fetch/check-url.js";
import type { FetchImage } from "../fetch/fetch-image.js";
import type { DeliveryForm } from "../options/plan.js";
import type { ImageDecoder } from "./image-decoder.js";
import type { ImageStore } from "./image-store.js";
import { inspectImage, pixelsMax } from "./inspect-image.js";
import type { SignedLinks } from "./signed-links.js";

const linkBytesMax = 64 * 1024 * 1024;

export interface ImageDeliveryOptions {
  readonly store: ImageStore;
  readonly links: SignedLinks;
  readonly decoder: ImageDecoder;
  readonly fetchImage: FetchImage;
  /** Whether links in the replies of an upstream may lead to a private network. */
  readonly allowsPrivateUrls: (upstream: string) => boolean;
}

/** Takes images from upstreams and hands them to callers, in either envelope: base64 or a link. */
export class ImageDelivery {
  readonly #options: ImageDeliveryOptions;

  constructor(options: ImageDeliveryOptions) {
    this.#options = options;
  }

  /** The bytes of an image, which an upstream returns as base64 or as a link. */
  async contentOf(
    image: Schemas["Image"],
    { upstream, signal }: { readonly upstream: string; readonly signal: AbortSignal },
  ): Promise<Buffer> {
    if (image.b64_json !== undefined) return Buffer.from(image.b64_json, "base64");
    if (image.url === undefined) {
      throw new GatewayError("upstream_invalid_answer", "The upstream returned an image without data.");
    }
    const { fetchImage, allowsPrivateUrls } = this.#options;
    try {
      const allowPrivate = allowsPrivateUrls(upstream);
      return await fetchImage(image.url, { allowPrivate, bytesMax: linkBytesMax, signal });
    } catch (failure) {
      if (!(failure instanceof ImageFetchError)) throw failure;
      // A link that cannot be followed is a failure of the upstream, not of the caller.
      throw new GatewayError(
        "upstream_invalid_answer",
        "The upstream returned a link that cannot be followed.",
        { cause: failure },
      );
    }
  }

  /** Checks an image that an upstream returned, and converts it to the requested format. */
  async finish(content: Buffer, delivery: DeliveryForm): Promise<FinishedImage> {
    const { decoder } = this.#options;
    const received = recogniseFormat(content);
    const facts = received === undefined ? undefined : await inspectImage(imageInMemory(content, received));
    if (facts === undefined || facts.width * facts.height > pixelsMax) throw notAnImage();
    const format = delivery.format ?? facts.format;
    const { compression } = delivery;
    const isFinished = format === facts.format && (compression === undefined || format === "png");
    try {
      const finished = isFinished
        ? { content, ...facts }
        : await decoder.transcode(content, { format, compression: compression ?? 100 });
      const isTransparent =
        facts.hasAlpha && format !== "jpeg" && !(await decoder.isOpaque(finished.content));
      return {
        content: finished.content,
        format,
        size: `${finished.width}x${finished.height}`,
        background: isTransparent ? "transparent" : "opaque",
      };
    } catch (cause) {
      throw notAnImage(cause);
    }
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
      envelope,
      revisedPrompt,
      origin,
    }: { envelope: DeliveryForm["envelope"]; revisedPrompt: string | undefined; origin: string },
  ): Promise<Schemas["Image"]> {
    const revised = revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt };
    if (envelope === "b64_json") return { b64_json: content.toString("base64"), ...revised };
    const { store, links } = this.#options;
    const file = await store.put(content, format).catch((failure: unknown) => {
      throw isDiskFull(failure) ? unstored(failure) : failure;
    });
    const { path } = links.sign(file);
    return { url: `${origin}${path}`, ...revised };
  }
}

function notAnImage(cause?: unknown): GatewayError {
  return new GatewayError("upstream_invalid_answer", "The upstream returned data that is not an image.", {
    cause,
  });
}

function isDiskFull(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && /^(ENOSPC|EDQUOT)$/.test(String(failure.code));
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
  readonly content: Buffer;
  readonly format: ImageFormat;
  readonly size: string;
  readonly background: "transparent" | "opaque";
}
