import type { ImageOperation } from "@model-gateway/domain/operations";
import type { ImageEvent, ImagesDocument } from "@model-gateway/domain/requests";
import type { ImageJob } from "./call-upstream.js";

/** The memory of an image on its way from an upstream to a caller: its reply, its content and the response. */
const imageBytes = 16 * 1024 * 1024;

/** The most that the images of a request take, until their sizes are known. */
function replyBytes({ request }: Pick<ImageJob<ImageOperation>, "request">): number {
  return (request.n ?? 1) * imageBytes;
}

/** The job, whose replies take memory when the first of them arrives. */
export function withMemory<K extends ImageOperation>(job: ImageJob<K>): ImageJob<K> {
  const { context, memory } = job;
  return { ...job, context: { ...context, takeMemory: memory.forReplies(replyBytes(job), context.caller) } };
}

export function heldByDocument({ data }: Pick<ImagesDocument, "data">): number {
  return data.reduce((sum, { b64_json }) => sum + (b64_json?.heldBytes ?? 0), 0);
}

/** @param calls The images of each call, or its stream, of which one image at a time is in memory. */
export function heldByStream(calls: readonly (readonly ImageEvent[] | AsyncIterable<ImageEvent>)[]): number {
  let bytes = 0;
  for (const call of calls)
    if ("length" in call) for (const { b64_json } of call) bytes += b64_json.heldBytes;
  return bytes + (calls.every((call) => "length" in call) ? 0 : imageBytes);
}
