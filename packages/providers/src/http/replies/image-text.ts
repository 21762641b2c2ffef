import { ImageBytes } from "@model-gateway/domain/image-bytes";
import type { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import type { Steps } from "@model-gateway/runtime/time-slice";
import { rewriteBase64 } from "./rewrite-base64.js";
import { invalidReply } from "./value-separator.js";

/** An image of 64 MB, as base64. */
export const imageTextBytesMax = 88 * 1024 * 1024;

/**
 * An image in the text of a JSON string. Plain base64 is kept as it is. Escapes, line breaks, the URL-safe alphabet,
 * missing padding and data URLs are rare: such a text is rewritten first.
 *
 * @param chunks The text between the quotes.
 * @param buffers The memory of the chunks, if it is used again.
 */
export function* readImageText(chunks: readonly Buffer[], buffers?: ReplyBuffers): Steps<ImageBytes> {
  const image =
    (yield* ImageBytes.fromBase64(chunks, buffers)) ??
    (yield* ImageBytes.fromBase64([yield* rewriteBase64(chunks)]));
  if (image === undefined) throw invalidReply("it has an image that is not base64");
  return image;
}
