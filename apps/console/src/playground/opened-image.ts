/** An image in memory, with an address that this page alone can load. */
export interface OpenedImage {
  readonly blob: Blob;
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Reads an image from its bytes. Only the formats in this list become a URL. SVG is not among them: it may hold
 * scripts.
 */
export async function openImage(bytes: Blob): Promise<OpenedImage> {
  const type = await typeOf(bytes);
  if (type === undefined) throw new Error("This file is not a PNG, JPEG or WebP image.");
  const blob = new Blob([bytes], { type });
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  bitmap.close();
  return { blob, url: URL.createObjectURL(blob), width, height };
}

export async function openBase64(text: string): Promise<OpenedImage> {
  const letters = atob(text);
  return openImage(new Blob([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))]));
}

/** The pixels of an image, four bytes each. */
export async function pixelsOf({ blob, width, height }: OpenedImage): Promise<Uint8ClampedArray> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser has no canvas.");
  context.drawImage(await createImageBitmap(blob), 0, 0);
  return context.getImageData(0, 0, width, height).data;
}

/** Writes pixels as a PNG. */
export async function pngOf(
  pixels: Uint8ClampedArray<ArrayBuffer>,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas.convertToBlob({ type: "image/png" });
}

async function typeOf(bytes: Blob): Promise<string | undefined> {
  const head = new Uint8Array(await bytes.slice(0, 12).arrayBuffer());
  const text = String.fromCharCode(...head);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  return text.startsWith("RIFF") && text.slice(8) === "WEBP" ? "image/webp" : undefined;
}
