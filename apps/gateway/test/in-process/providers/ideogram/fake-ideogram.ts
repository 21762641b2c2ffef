import sharp from "sharp";
import { z } from "zod";
import type { ReceivedRequest } from "../../../fake-upstream/script.js";
import { type FormServer, fileOf, filesOf, startFormServer } from "../form-server.js";
import { hostedImage } from "../hosted-image.js";
import { paintMasked } from "../paint-masked.js";
import type { FakeReply } from "../strict-server.js";

export const ideogramKey = "ideogram-0123456789";

const number = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .refine((text) => Number(text) >= min && Number(text) <= max)
    .optional();
const prompt = z.string().min(1).max(10_000);
const rendering_speed = z.enum(["FLASH", "TURBO", "DEFAULT", "QUALITY"]).optional();
const size = z
  .string()
  .regex(/^\d{3,4}x\d{3,4}$/)
  .optional();
const common = {
  prompt,
  rendering_speed,
  magic_prompt: z.enum(["AUTO", "ON", "OFF"]).optional(),
  num_images: number(1, 8),
  seed: number(0, 2_147_483_647),
};

/** The fields and the files of each endpoint. */
const endpoints: Readonly<Record<string, readonly [z.ZodObject, readonly string[]]>> = {
  "/v1/ideogram-v3/generate": [
    z.strictObject({ ...common, resolution: size, negative_prompt: z.string().optional() }),
    [],
  ],
  "/v1/ideogram-v3/remix": [
    z.strictObject({ ...common, resolution: size, negative_prompt: z.string().optional() }),
    ["image"],
  ],
  "/v1/ideogram-v3/inpaint": [z.strictObject(common), ["image", "mask"]],
  "/v1/ideogram-v4/generate": [
    z.strictObject({
      text_prompt: prompt,
      rendering_speed: rendering_speed.unwrap().exclude(["FLASH"]).optional(),
      resolution: size,
    }),
    [],
  ],
};

/** A server that speaks Ideogram's API, and refuses undocumented fields. */
export function startFakeIdeogram(): Promise<FormServer> {
  const results = new Map<string, Buffer>();
  const answer = async (request: ReceivedRequest, origin: string): Promise<FakeReply> => {
    if (request.headers["api-key"] !== ideogramKey) return { status: 401, body: { error: "Unauthorized" } };
    const [schema, files] = endpoints[request.path] ?? [];
    if (schema === undefined || files === undefined) return { status: 404, body: { error: "Not found" } };
    const parsed = schema.safeParse(request.body);
    if (!parsed.success || String(filesOf(request)) !== String(files))
      return { status: 400, body: { error: parsed.error?.issues[0]?.message ?? "The files are wrong." } };
    const {
      num_images = "1",
      resolution = "64x64",
      prompt: text = "",
    } = request.body as Record<string, string>;
    if (text.includes("forbidden"))
      return { status: 422, body: { error: "Prompt or provided image failed the safety checks" } };
    const name = `r${results.size}.png`;
    const [width = 64, height = 64] = resolution.split("x").map(Number);
    results.set(name, files.length === 2 ? await inpainted(request) : await hostedImage({ width, height }));
    const item = { url: `${origin}/results/${name}`, is_image_safe: true, prompt: text, resolution, seed: 1 };
    return { body: { created: "2026-11-17T12:00:00Z", data: Array(Number(num_images)).fill(item) } };
  };
  return startFormServer({ answer, keyHeader: "api-key", results });
}

/** Black pixels of the mask are painted. It has the size of the image, and nothing but black and white. */
async function inpainted(request: ReceivedRequest): Promise<Buffer> {
  const [image, mask] = [fileOf(request, "image"), fileOf(request, "mask")];
  const [ofImage, ofMask] = [await sharp(image).metadata(), await sharp(mask).metadata()];
  if (ofMask.hasAlpha || ofImage.width !== ofMask.width || ofImage.height !== ofMask.height)
    throw new Error("The mask does not fit.");
  return (await paintMasked(image, await sharp(mask).negate().png().toBuffer())).png().toBuffer();
}
