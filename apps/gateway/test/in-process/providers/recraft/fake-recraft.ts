import sharp from "sharp";
import { z } from "zod";
import type { ReceivedRequest } from "../../../fake-upstream/script.js";
import { type FormServer, fileOf, filesOf, startFormServer } from "../form-server.js";
import { hostedImage } from "../hosted-image.js";
import { paintMasked } from "../paint-masked.js";
import type { FakeReply } from "../strict-server.js";

export const recraftKey = "recraft-0123456789";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
const model = z.enum(["recraftv4_1", "recraftv4_1_pro", "recraftv4_1_vector", "recraftv3"]);
const count = z.union([z.int().min(1).max(6), z.string().regex(/^[1-6]$/)]).optional();
const common = {
  model,
  prompt: z.string().min(1).max(10_000),
  n: count,
  response_format: z.enum(["url", "b64_json"]).optional(),
  negative_prompt: z.string().optional(),
};

/** The fields and the files of each endpoint. */
const endpoints: Readonly<Record<string, readonly [z.ZodObject, readonly string[]]>> = {
  "/v1/images/generations": [
    z.strictObject({
      ...common,
      size: z
        .string()
        .regex(/^\d+x\d+$/)
        .optional(),
    }),
    [],
  ],
  "/v1/images/imageToImage": [
    z.strictObject({ ...common, strength: z.string().regex(/^(0(\.\d+)?|1)$/) }),
    ["image"],
  ],
  "/v1/images/inpaint": [z.strictObject({ ...common, model: z.literal("recraftv3") }), ["image", "mask"]],
};

/** A server that speaks Recraft's API, and refuses undocumented fields. */
export function startFakeRecraft(): Promise<FormServer> {
  const answer = async (request: ReceivedRequest): Promise<FakeReply> => {
    if (request.headers.authorization !== `Bearer ${recraftKey}`)
      return refused(401, "unauthorized", "Unauthorized.");
    const [schema, files] = endpoints[request.path] ?? [];
    if (schema === undefined || files === undefined) return refused(404, "not_found", "Not found.");
    const parsed = schema.safeParse(request.body);
    if (!parsed.success || String(filesOf(request)) !== String(files))
      return refused(400, "invalid_request", parsed.error?.issues[0]?.message ?? "The files are wrong.");
    const {
      n = 1,
      model: name = "",
      size = "64x64",
      negative_prompt,
    } = request.body as Record<string, string>;
    if (negative_prompt !== undefined && name !== "recraftv3")
      return refused(400, "invalid_request", "negative_prompt is not supported.");
    const [width = 64, height = 64] = size.split("x").map(Number);
    const image = name.endsWith("_vector")
      ? Buffer.from(svg)
      : files.length === 2
        ? await inpainted(request)
        : await hostedImage({ width, height });
    const item = { b64_json: image.toString("base64"), image_id: "1" };
    return { body: { created: 1, credits: 40 * Number(n), data: Array(Number(n)).fill(item) } };
  };
  return startFormServer({ answer, keyHeader: "authorization", results: new Map() });
}

/** White pixels of the mask are painted. It has the size of the image, and nothing but black and white. */
async function inpainted(request: ReceivedRequest): Promise<Buffer> {
  const [image, mask] = [fileOf(request, "image"), fileOf(request, "mask")];
  const [ofImage, ofMask] = [await sharp(image).metadata(), await sharp(mask).metadata()];
  if (ofMask.hasAlpha || ofImage.width !== ofMask.width || ofImage.height !== ofMask.height)
    throw new Error("The mask does not fit.");
  return (await paintMasked(image, mask)).png().toBuffer();
}

export function refused(status: number, code: string, message: string): FakeReply {
  return { status, body: { code, message } };
}
