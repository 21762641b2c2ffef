import sharp from "sharp";
import { z } from "zod";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";

export const xaiKey = "xai-0123456789";

const fields = {
  model: z.enum(["grok-imagine-image", "grok-imagine-image-2.0"]),
  prompt: z.string().min(1),
  n: z.int().min(1).max(10).optional(),
  response_format: z.enum(["url", "b64_json"]).optional(),
  user: z.string().optional(),
};
const reference = z.strictObject({
  type: z.literal("image_url"),
  url: z.string().regex(/^data:image\/png;base64,/),
});
const generation = z.strictObject({
  ...fields,
  aspect_ratio: z.enum(["1:1", "3:2", "2:3", "4:3", "3:4", "16:9", "9:16", "auto"]).optional(),
  resolution: z.enum(["1k", "2k"]).optional(),
});
const edit = z.union([
  z.strictObject({ ...fields, image: reference }),
  z.strictObject({ ...fields, images: z.array(reference).min(2).max(5) }),
]);

/** An image costs $0.02, which is 200,000,000 ticks. */
const ticksPerImage = 200_000_000;

/** https://docs.x.ai/docs/api-reference */
export async function startFakeXai(): Promise<StrictServer> {
  const image = await sharp({ create: { width: 16, height: 16, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  const reply = ({ n = 1, prompt }: { n?: number | undefined; prompt: string }): FakeReply => {
    if (prompt.includes("forbidden"))
      return {
        status: 400,
        body: {
          code: "Client specified an invalid argument",
          error: "Generated image rejected by content moderation.",
        },
      };
    const one = { b64_json: image.toString("base64"), mime_type: "image/jpeg", revised_prompt: "" };
    const blocked = { ...one, b64_json: "", respect_moderation: false };
    return {
      body: {
        data: Array.from({ length: n }, () => (prompt.includes("blocked") ? blocked : one)),
        usage: { cost_in_usd_ticks: n * ticksPerImage },
      },
    };
  };
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${xaiKey}`
        ? undefined
        : { status: 400, body: { code: "invalid-argument", error: "Incorrect API key provided." } },
    refuse: ({ path }) => ({ status: 400, body: { error: `Argument not supported: ${path.join(".")}` } }),
    routes: {
      "POST /v1/images/generations": strictRoute({ body: generation, reply }),
      "POST /v1/images/edits": strictRoute({ body: edit, reply }),
    },
  });
}
