import { type GatewayClient, type ImageEditEvent, type ImageEvent, unwrap } from "@model-gateway/client";
import { type ResponseFacts, readFacts } from "./response-facts.js";

/** A request to an image model. With `image` it is an edit. */
export interface ImageOrder {
  readonly model: string;
  readonly prompt: string;
  readonly options: Readonly<Record<string, string | number>>;
  /** Number of partial images to show. Undefined for a model that does not stream. */
  readonly partialImages: number | undefined;
  readonly image?: Blob;
  readonly mask?: Blob;
}

/** Progress of an image request, in this order. */
export type ImageNews =
  | { readonly type: "facts"; readonly facts: ResponseFacts }
  | { readonly type: "partial" | "finished"; readonly base64: string }
  | { readonly type: "link"; readonly url: string };

/** Asks for images, or for an edit, and yields them as they arrive. Throws a `GatewayRequestError` if it fails. */
export async function* createImages(
  client: GatewayClient,
  order: ImageOrder,
  signal: AbortSignal,
): AsyncGenerator<ImageNews> {
  const start = performance.now();
  const body = { model: order.model, prompt: order.prompt, ...order.options };
  const edit = order.image && { ...body, image: order.image, ...(order.mask && { mask: order.mask }) };
  if (order.partialImages !== undefined) {
    const streamed = { partial_images: order.partialImages };
    const result = edit
      ? await client.createImageEditStream({ ...edit, ...streamed }, { signal })
      : await client.createImageStream({ ...body, ...streamed }, { signal });
    const events: AsyncIterable<ImageEvent | ImageEditEvent> =
      unwrap<AsyncIterable<ImageEvent | ImageEditEvent>>(result);
    for await (const { type, b64_json } of events)
      yield { type: type.endsWith("partial_image") ? "partial" : "finished", base64: b64_json };
    yield { type: "facts", facts: readFacts(result.response.headers, performance.now() - start) };
    return;
  }
  const result = edit
    ? await client.createImageEdit(edit, { signal })
    : await client.createImage(body, { signal });
  for (const { b64_json, url } of unwrap(result).data ?? []) {
    if (b64_json != null) yield { type: "finished", base64: b64_json };
    else if (url != null) yield { type: "link", url };
  }
  yield { type: "facts", facts: readFacts(result.response.headers, performance.now() - start) };
}
