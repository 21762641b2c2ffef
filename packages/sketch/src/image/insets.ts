import sharp, { type OverlayOptions } from "sharp";
import type { Box } from "./hole.js";
import { decode } from "./image-file.js";

/** The smallest side at which a white border and a tilt are visible. */
const cardSideMin = 24;

/** The second and later images of an edit, as small prints in the upper part of the box. */
export async function layInsets(images: readonly Buffer[], box: Box): Promise<OverlayOptions[]> {
  const columns = Math.min(
    images.length,
    Math.max(1, Math.round(Math.sqrt((images.length * box.width) / (box.height * 0.45)))),
  );
  const rows = Math.ceil(images.length / columns);
  const cell = Math.max(1, Math.floor(Math.min((box.width * 0.94) / columns, (box.height * 0.45) / rows)));
  const insets: OverlayOptions[] = [];
  // Sequentially: sixteen large images decoded at once would not fit in memory.
  for (const [position, image] of images.entries()) {
    const column = position % columns;
    const row = Math.floor(position / columns);
    const { data, info } = await print(image, {
      name: `image[${position + 1}]`,
      side: cell,
      tilt: position % 2 === 0 ? 4 : -4,
    });
    const x = box.left + (box.width * (column + 0.5)) / columns - info.width / 2;
    const y = box.top + box.height * 0.03 + row * cell + (cell - info.height) / 2;
    insets.push({ input: data, left: Math.max(0, Math.floor(x)), top: Math.max(0, Math.floor(y)) });
  }
  return insets;
}

interface Print {
  readonly name: string;
  readonly side: number;
  readonly tilt: number;
}

async function print(
  image: Buffer,
  { name, side, tilt }: Print,
): Promise<{ data: Buffer; info: { width: number; height: number } }> {
  // A tilted card is wider than its image; at four degrees it stays within the side.
  const inner = side < cardSideMin ? side : Math.floor(side * 0.84);
  const resize = { width: inner, height: inner, fit: "inside" } as const;
  const { width, height, pixels } = await decode(image, { name, orientation: "upright", resize });
  const input = sharp(pixels, { raw: { width, height, channels: 4 } });
  if (side < cardSideMin) return input.png().toBuffer({ resolveWithObject: true });
  const border = Math.max(1, Math.floor(side * 0.035));
  const card = await input
    .flatten({ background: "#ffffff" })
    .extend({ top: border, bottom: border, left: border, right: border, background: "#ffffff" })
    .png()
    .toBuffer();
  return sharp(card)
    .ensureAlpha()
    .rotate(tilt, { background: { r: 255, g: 255, b: 255, alpha: 0 } })
    .png()
    .toBuffer({ resolveWithObject: true });
}
