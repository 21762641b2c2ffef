import sharp from "sharp";
import { encode } from "./picture/encode.js";
import { type Composition, composeScene, composeSticker } from "./scene/compose.js";
import type { SketchOptions } from "./sketch-options.js";

/** Draws a new picture. sharp renders on its own threads; only the SVG is written on this one. */
export function draw(options: SketchOptions, composition: Composition): Promise<Buffer> {
  if (options.background === "transparent") {
    return encode(sharp(Buffer.from(composeSticker(composition))), options);
  }
  return encode(sharp(Buffer.from(composeScene(composition))).removeAlpha(), options);
}
