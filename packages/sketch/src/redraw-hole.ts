import sharp, { type OverlayOptions } from "sharp";
import { type Box, boundHole, fillHole, findFocus, type Mask, readMask } from "./image/hole.js";
import { decode, type Raster } from "./image/image-file.js";
import { layInsets } from "./image/insets.js";
import { extendSurroundings } from "./image/surroundings.js";
import { namesScene } from "./prompt/prompt-plan.js";
import { type Composition, composeFigures, composeScene } from "./scene/compose.js";
import type { SketchEdit } from "./sketch-options.js";

/** The first image with the prompt drawn where the mask is fully transparent, and nowhere else. */
export async function redrawHole(
  first: Buffer,
  options: SketchEdit & { mask: Buffer },
  context: EditContext,
): Promise<Raster> {
  const image = await decode(first, { name: "image[0]", orientation: "stored" });
  const mask = await readMask(options.mask, image);
  const box = boundHole(mask);
  context.signal?.throwIfAborted();
  if (box === undefined) return image;
  const focus = await findFocus(mask, box);
  const size = { width: box.width, height: box.height };
  const inScene = namesScene(context.plan) && options.background === "opaque" && isRoomy(focus, box);
  const ground = await composeGround(
    { image, mask, box },
    options,
    inScene ? context : withoutSubjects(context),
  );
  context.signal?.throwIfAborted();
  const layers = [
    ...(await layInsets(options.images.slice(1), focus)),
    ...(inScene ? [] : overlaySubjects(focus, options, context)),
  ];
  const drawing = await sharp(ground, { raw: { ...size, channels: 4 } })
    .composite(layers)
    .ensureAlpha()
    .raw()
    .toBuffer();
  return fillHole(image, drawing, { mask, box });
}

/** The plan and the motifs of an edit, besides its options. */
export interface EditContext extends Omit<Composition, "look"> {
  readonly signal?: AbortSignal;
}

interface Hole {
  readonly image: Raster;
  readonly mask: Mask;
  readonly box: Box;
}

/** The hole's background: transparent, the prompt's scene, or an extension of the surroundings. */
async function composeGround(
  { image, mask, box }: Hole,
  options: SketchEdit,
  { plan, library }: EditContext,
): Promise<Buffer> {
  const blank = Buffer.alloc(box.width * box.height * 4);
  if (options.background === "transparent") return blank;
  const look = { ...options, width: box.width, height: box.height };
  const around = namesScene(plan)
    ? undefined
    : await extendSurroundings(await fillHole(image, blank, { mask, box }), box);
  if (around !== undefined) return around;
  const scene = composeScene({ plan, library, look });
  return sharp(Buffer.from(scene)).ensureAlpha().raw().toBuffer();
}

/** If the hole is mostly one clear part, the subjects stand in the scene. */
function isRoomy(focus: Box, box: Box): boolean {
  return focus.width > box.width * 0.55;
}

function withoutSubjects(context: EditContext): EditContext {
  return { ...context, plan: { ...context.plan, subjects: [], unknown: [] } };
}

/** Subjects are placed where the hole is widest, so that the mask does not cut them off. */
function overlaySubjects(focus: Box, options: SketchEdit, { plan, library }: EditContext): OverlayOptions[] {
  if (plan.subjects.length === 0 && namesScene(plan)) return [];
  const bare = { subjects: plan.subjects, colours: [], unknown: plan.unknown };
  const look = { ...options, width: focus.width, height: focus.height };
  const figures = composeFigures({ plan: bare, library, look });
  return [{ input: Buffer.from(figures), left: focus.left, top: focus.top }];
}
