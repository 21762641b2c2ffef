import sharp, { type OverlayOptions, type Sharp } from "sharp";
import type { EditTools } from "./edit-tools.js";
import { decode, inspect, type Raster } from "./picture/decode.js";
import { encode } from "./picture/encode.js";
import { layInsets } from "./picture/insets.js";
import { namesScene } from "./prompt/names-scene.js";
import { seedRandom } from "./random.js";
import { redrawHole } from "./redraw-hole.js";
import { composeScene } from "./scene/compose.js";
import { composeFigures, composeWash } from "./scene/compose-overlay.js";
import type { SketchEdit } from "./sketch-options.js";

/** Draws into given pictures: into the mask's hole, or over the whole first image. */
export async function edit(options: SketchEdit, tools: EditTools): Promise<Buffer> {
  const [first = Buffer.alloc(0)] = options.images;
  const { hasAlpha } = await inspect(first, "image[0]");
  tools.signal?.throwIfAborted();
  const drawn =
    options.mask === undefined
      ? await drawOver(first, options, tools)
      : await redrawHole(first, { ...options, mask: options.mask }, tools);
  tools.signal?.throwIfAborted();
  const picture = fitted(drawn, options);
  // Kept pixels that are transparent stay so; where none can be, the file needs no alpha.
  const solid = options.background === "opaque" && (options.mask === undefined || !hasAlpha);
  return encode(solid ? picture.removeAlpha() : picture, options);
}

async function drawOver(first: Buffer, options: SketchEdit, { plan, library }: EditTools): Promise<Raster> {
  const { width, height } = options;
  const resize =
    width === undefined || height === undefined ? {} : { resize: { width, height, fit: "cover" as const } };
  const picture = await decode(first, { name: "image[0]", orientation: "upright", ...resize });
  const size = { width: picture.width, height: picture.height };
  const composition = { plan, library, look: { ...options, ...size } };
  const layers: OverlayOptions[] = [
    { input: picture.pixels, raw: { ...size, channels: 4 } },
    { input: Buffer.from(composeWash(composition)) },
    ...(await layInsets(options.images.slice(1), { left: 0, top: 0, ...size })),
    ...drawFigures(size, options, { plan, library }),
  ];
  // Where the image is transparent and the result must not be, the prompt's scene shows through.
  const ground =
    options.background === "opaque"
      ? sharp(Buffer.from(composeScene({ ...composition, plan: { ...plan, subjects: [], unknown: [] } })))
      : sharp({ create: { ...size, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
  return { ...size, pixels: await ground.composite(layers).ensureAlpha().raw().toBuffer() };
}

/** A few subjects stand to one side, so that the picture below is still seen; a crowd takes its width. */
function drawFigures(
  size: { width: number; height: number },
  options: SketchEdit,
  { plan, library }: EditTools,
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
  const picture = sharp(pixels, { raw: { width, height, channels: 4 } });
  if (wanted.width === undefined || wanted.height === undefined) return picture;
  if (wanted.width === width && wanted.height === height) return picture;
  return picture.resize({ width: wanted.width, height: wanted.height, fit: "cover" });
}
