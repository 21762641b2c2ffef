import { type GatewayClient, unwrap } from "@model-gateway/client";
import { createImages, type ImageOrder } from "../../../operations/createImage.js";
import type { ResponseFacts } from "../../../operations/response-facts.js";
import { type OpenedImage, openBase64, openImage } from "../../opened-image.js";

/** Progress of one request. */
export type RunNews =
  | { readonly type: "image"; readonly image: OpenedImage; readonly isFinished: boolean }
  | { readonly type: "facts"; readonly facts: ResponseFacts };

/** Sends a request, and yields its images as they arrive. */
export type RunImages = (order: ImageOrder, signal: AbortSignal) => AsyncIterable<RunNews>;

export function runImages(client: GatewayClient): RunImages {
  return async function* run(order, signal) {
    for await (const news of createImages(client, order, signal)) {
      if (news.type === "facts") yield news;
      else if (news.type === "link") {
        const image = await openImage(unwrap(await client.retrieveImageFile(news.url, { signal })));
        yield { type: "image", image, isFinished: true };
      } else
        yield { type: "image", image: await openBase64(news.base64), isFinished: news.type === "finished" };
    }
  };
}
