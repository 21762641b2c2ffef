import { ImageBytes } from "../../../domain/image-bytes.js";
import type { ReplyBuffers } from "../../../runtime/reply-buffers.js";
import { invalidReply, parseReply } from "./value-separator.js";

/** An image of 64 MB, as base64. */
export const imageTextBytesMax = 88 * 1024 * 1024;

/**
 * An image in the text of a JSON string. Plain base64 is kept as it is. Escapes, line breaks, the URL-safe alphabet,
 * missing padding and data URLs are rare: such a text is rewritten first.
 *
 * @param chunks The text between the quotes.
 * @param buffers The memory of the chunks, if it is used again.
 */
export function readImageText(chunks: readonly Buffer[], buffers?: ReplyBuffers): ImageBytes {
  return ImageBytes.fromBase64(chunks, buffers) ?? readImageString(readJsonText(chunks));
}

/** An image in a string that was parsed already. */
export function readImageString(text: string): ImageBytes {
  const image = ImageBytes.fromText(text);
  if (image === undefined) throw invalidReply("it has an image that is not base64");
  return image;
}

/** The string between two quotes in a JSON text. */
export function readJsonText(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).toString("utf8");
  if (!text.includes("\\")) return text;
  return String(parseReply(`"${text}"`));
}
