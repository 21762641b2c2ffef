import sharp, { type OverlayOptions, type Sharp } from "sharp";
import { decode, encode, inspect, type Raster } from "./image/image-file.js";
import { layInsets } from "./image/insets.js";
import { namesScene } from "./prompt/prompt-plan.js";
import { seedRandom } from "./random.js";
import { type EditContext, redrawHole } from "./redraw-hole.js";
import { composeFigures, composeScene, composeWash } from "./scene/compose.js";
import type { SketchEdit } from "./sketch-options.js";

/** Draws into the hole of the mask, or over the whole first image. */
export async function createImageEdit(options: SketchEdit, context: EditContext): Promise<Buffer> {
  const [first = Buffer.alloc(0)] = options.images;
  const { hasAlpha } = await inspect(first, "image[0]");
  context.signal?.throwIfAborted();
  const drawn =
    options.mask === undefined
      ? await composeOver(first, options, context)
      : await redrawHole(first, { ...options, mask: options.mask }, context);
  context.signal?.throwIfAborted();
  const image = fitted(drawn, options);
  // Kept pixels stay transparent if they were. Without such pixels, the file needs no alpha.
  const solid = options.background === "opaque" && (options.mask === undefined || !hasAlpha);
  return encode(solid ? image.removeAlpha() : image, options);
}

async function composeOver(
  first: Buffer,
  options: SketchEdit,
  { plan, library }: EditContext,
): Promise<Raster> {
  const { width, height } = options;
  const resize =
    width === undefined || height === undefined ? {} : { resize: { width, height, fit: "cover" as const } };
  const image = await decode(first, { name: "image[0]", orientation: "upright", ...resize });
  const size = { width: image.width, height: image.height };
  const composition = { plan, library, look: { ...options, ...size } };
  const layers: OverlayOptions[] = [
    { input: image.pixels, raw: { ...size, channels: 4 } },
    { input: Buffer.from(composeWash(composition)) },
    ...(await layInsets(options.images.slice(1), { left: 0, top: 0, ...size })),
    ...overlayFigures(size, options, { plan, library }),
  ];
  // An opaque result shows the scene of the prompt where the image is transparent.
  const ground =
    options.background === "opaque"
      ? sharp(Buffer.from(composeScene({ ...composition, plan: { ...plan, subjects: [], unknown: [] } })))
      : sharp({ create: { ...size, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
  return { ...size, pixels: await ground.composite(layers).ensureAlpha().raw().toBuffer() };
}

/** A few subjects stand to one side, so that the image stays visible. A crowd takes the whole width. */
function overlayFigures(
  size: { width: number; height: number },
  options: SketchEdit,
  { plan, library }: EditContext,
): OverlayOptions[] {
  if (plan.subjects.length === 0 && namesScene(plan)) return [];
  const crowd = plan.subjects.reduce((total, { count }) => total + count, 0) > 2;
  const width = Math.max(1, Math.floor(size.width * (crowd ? 1 : 0.56)));
  const height = Math.max(1, Math.floor(size.height * 0.6));
  const side = seedRandom(options.prompt, options.index)("side").pick([0.08, 0.92]);
  const figures = composeFigures({ plan, library, look: { ...options, width, height } });
  return [
    { input: Buffer.from(figures), left: Math.floor((size.width - width) * side), top: size.height - height },
  ];
}

function fitted({ width, height, pixels }: Raster, wanted: SketchEdit): Sharp {
  const image = sharp(pixels, { raw: { width, height, channels: 4 } });
  if (wanted.width === undefined || wanted.height === undefined) return image;
  if (wanted.width === width && wanted.height === height) return image;
  return image.resize({ width: wanted.width, height: wanted.height, fit: "cover" });
}
