import sharp, { type OverlayOptions } from "sharp";
import type { EditTools } from "./edit-tools.js";
import { decode, type Raster } from "./picture/decode.js";
import { fillHole } from "./picture/fill-hole.js";
import { type Box, boundHole, findFocus } from "./picture/hole.js";
import { layInsets } from "./picture/insets.js";
import { type Mask, readMask } from "./picture/read-mask.js";
import { blurSurroundings } from "./picture/surroundings.js";
import { namesScene } from "./prompt/names-scene.js";
import { composeScene } from "./scene/compose.js";
import { composeFigures, composeTint } from "./scene/compose-overlay.js";
import type { SketchEdit } from "./sketch-options.js";

/** The first image with the prompt drawn where the mask is fully transparent, and nowhere else. */
export async function redrawHole(
  first: Buffer,
  options: SketchEdit & { mask: Buffer },
  tools: EditTools,
): Promise<Raster> {
  const picture = await decode(first, { name: "image[0]", orientation: "stored" });
  const mask = await readMask(options.mask, picture);
  const box = boundHole(mask);
  tools.signal?.throwIfAborted();
  if (box === undefined) return picture;
  const focus = await findFocus(mask, box);
  const size = { width: box.width, height: box.height };
  const inScene = namesScene(tools.plan) && options.background === "opaque" && isRoomy(focus, box);
  const ground = await drawGround({ picture, mask, box }, options, inScene ? tools : withoutSubjects(tools));
  tools.signal?.throwIfAborted();
  const layers = [
    ...(await layInsets(options.images.slice(1), focus)),
    ...(inScene ? [] : drawSubjects(focus, options, tools)),
  ];
  const drawing = await sharp(ground, { raw: { ...size, channels: 4 } })
    .composite(layers)
    .ensureAlpha()
    .raw()
    .toBuffer();
  return fillHole(picture, drawing, { mask, box });
}

interface Hole {
  readonly picture: Raster;
  readonly mask: Mask;
  readonly box: Box;
}

/** What lies behind the subjects: nothing, the scene the prompt names, or the colours around the hole. */
async function drawGround(
  { picture, mask, box }: Hole,
  options: SketchEdit,
  { plan, library }: EditTools,
): Promise<Buffer> {
  const blank = Buffer.alloc(box.width * box.height * 4);
  if (options.background === "transparent") return blank;
  const look = { ...options, width: box.width, height: box.height };
  const around = namesScene(plan)
    ? undefined
    : await blurSurroundings(await fillHole(picture, blank, { mask, box }), box);
  if (around === undefined) {
    const scene = composeScene({ plan, library, look });
    return sharp(Buffer.from(scene)).ensureAlpha().raw().toBuffer();
  }
  const tint = Buffer.from(composeTint({ plan, library, look }));
  return sharp(around, { raw: { width: box.width, height: box.height, channels: 4 } })
    .composite([{ input: tint }])
    .ensureAlpha()
    .raw()
    .toBuffer();
}

/** A hole that is mostly one clear part shows a scene with its subjects standing in it. */
function isRoomy(focus: Box, box: Box): boolean {
  return focus.width > box.width * 0.55;
}

function withoutSubjects(tools: EditTools): EditTools {
  return { ...tools, plan: { ...tools.plan, subjects: [], unknown: [] } };
}

/** The subjects go where the hole is widest, so that the mask does not cut them off. */
function drawSubjects(focus: Box, options: SketchEdit, { plan, library }: EditTools): OverlayOptions[] {
  if (plan.subjects.length === 0 && namesScene(plan)) return [];
  const bare = { subjects: plan.subjects, colours: [], unknown: plan.unknown };
  const look = { ...options, width: focus.width, height: focus.height };
  const figures = composeFigures({ plan: bare, library, look });
  return [{ input: Buffer.from(figures), left: focus.left, top: focus.top }];
}
