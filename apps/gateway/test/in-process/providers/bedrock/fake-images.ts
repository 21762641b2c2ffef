import sharp from "sharp";
import { z } from "zod";
import { paintMasked } from "../paint-masked.js";
import { type FakeReply, type StrictRoute, strictRoute } from "../strict-server.js";
import { invalid } from "./fake-bedrock.js";

const options = {
  prompt: z.string().min(1).max(10_000),
  negative_prompt: z.string().max(10_000).optional(),
  seed: z.int().min(0).max(4_294_967_294).default(0),
  output_format: z.enum(["png", "jpeg"]).default("png"),
};
const generate = z.strictObject({
  ...options,
  aspect_ratio: z.enum(["16:9", "1:1", "21:9", "2:3", "3:2", "4:5", "5:4", "9:16", "9:21"]).default("1:1"),
});
const inpaint = z.strictObject({
  ...options,
  image: z.base64(),
  mask: z.base64().optional(),
  grow_mask: z.int().min(0).max(20).default(5),
});

/** A prompt with one of these words is moderated. Masks are applied by the tests, because they take time. */
function moderated(prompt: string): FakeReply | undefined {
  if (prompt.includes("forbidden"))
    return invalid("This request has been blocked by our content filters. Adjust your text prompt.");
  return undefined;
}

export const imageRoutes: Readonly<Record<string, StrictRoute>> = {
  "stability.stable-image-core-v1:1": strictRoute({
    body: generate,
    reply: ({ prompt }) => {
      if (prompt.includes("filtered")) return { body: { finish_reasons: ["Filter reason: output image"] } };
      if (prompt.includes("broken")) return { body: { finish_reasons: ["Inference error"] } };
      return moderated(prompt) ?? { body: { seeds: [7], finish_reasons: [null], images: [tile] } };
    },
  }),
  "us.stability.stable-image-inpaint-v1:0": strictRoute({
    body: inpaint,
    reply: () => ({ body: { seeds: [7], finish_reasons: [null], images: [tile] } }),
  }),
};

const tile = (
  await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
    .png()
    .toBuffer()
).toString("base64");

/** Edits as the service does with the image and the mask of a body. */
export async function paintBody(body: unknown): Promise<Buffer> {
  const { image, mask } = z.object({ image: z.base64(), mask: z.base64() }).parse(body);
  const decoded = Buffer.from(mask, "base64");
  const { channels, hasAlpha } = await sharp(decoded).metadata();
  if (channels !== 1 || hasAlpha) throw new Error("A mask is greyscale without transparency.");
  return (await paintMasked(Buffer.from(image, "base64"), decoded)).png().toBuffer();
}
