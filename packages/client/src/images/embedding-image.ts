import { type FileContent, nameFile } from "../form.js";
import type { components } from "../spec.js";

/** The bytes of an image as a part of an embedding input. They are sent within the request, as a data URL. */
export async function imagePart(image: FileContent): Promise<components["schemas"]["EmbeddingImagePart"]> {
  const file = await nameFile(image, "image");
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { type: "image_url", image_url: { url: `data:${file.type};base64,${toBase64(bytes)}` } };
}

/** A call takes a limited number of arguments. */
const pieceBytes = 32_768;

/** Node 20 and browsers share `btoa`, which takes one byte in each character. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += pieceBytes)
    text += String.fromCharCode(...bytes.subarray(start, start + pieceBytes));
  return btoa(text);
}
