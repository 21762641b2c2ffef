import { z } from "zod";
import { hostedImage } from "../hosted-image.js";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, unitVector } from "../unit-vectors.js";

export const arkKey = "ark-0123456789";

const native = 2048;
/** The real limit is the same; a word counts as a token here. */
const tokensMax = 4096;
const dataUrl = z.string().regex(/^data:image\/(png|jpeg|webp);base64,/);
const formats = { output_format: z.enum(["png", "jpeg"]).default("jpeg") };

/** The smallest and the largest number of pixels, the most input images, and the fields that not all models have. */
const models: Readonly<Record<string, readonly [number, number, number, z.ZodRawShape]>> = {
  "doubao-seedream-4-0-250828": [921_600, 16_777_216, 14, {}],
  "doubao-seedream-4-5-251128": [3_686_400, 16_777_216, 14, {}],
  "doubao-seedream-5-0-260128": [3_686_400, 10_404_496, 14, formats],
  "doubao-seedream-5-0-pro-260628": [921_600, 4_624_220, 10, formats],
  "ep-paint": [921_600, 4_624_220, 10, formats],
};

const image = z.looseObject({ model: z.string() }).superRefine((body, context) => {
  const [min, max, imagesMax, fields] = models[body.model] ?? [0, 0, 0, {}];
  const schema = z.strictObject({
    model: z.string(),
    prompt: z.string().min(1),
    image: z.union([dataUrl, z.array(dataUrl).min(2).max(imagesMax)]).optional(),
    size: z
      .string()
      .refine((size) => {
        const [width = 0, height = 0] = size.split("x").map(Number);
        return width * height >= min && width * height <= max;
      })
      .optional(),
    response_format: z.enum(["url", "b64_json"]),
    watermark: z.boolean().default(true),
    ...fields,
  });
  for (const issue of schema.safeParse(body).error?.issues ?? []) context.addIssue({ ...issue });
});

const embeddings = z.strictObject({
  model: z.literal("doubao-embedding-large-text-250515"),
  input: z.union([z.string(), z.array(z.string().min(1)).min(1).max(256)]),
  encoding_format: z.enum(["float", "base64"]).optional(),
});

/** A server that speaks Ark's API, and refuses undocumented fields. https://www.volcengine.com/docs/82379/1666945 */
export async function startFakeArk(): Promise<StrictServer> {
  const b64_json = (await hostedImage({ format: "jpeg" })).toString("base64");
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${arkKey}`
        ? undefined
        : refused(401, "AuthenticationError", "The API key in the request is missing or invalid."),
    refuse: ({ path, message }) => refused(400, "InvalidParameter", `${path.join(".")}: ${message}`),
    routes: {
      "POST /api/v3/images/generations": strictRoute({
        body: image,
        reply: ({ model }) => ({
          body: {
            model,
            created: 1_757_321_139,
            data: [{ b64_json, size: "64x64" }],
            usage: { generated_images: 1, output_tokens: 16, total_tokens: 16 },
          },
        }),
      }),
      "POST /api/v3/embeddings": strictRoute({ body: embeddings, reply: embed }),
    },
  });
}

function embed({ model, input, encoding_format }: z.output<typeof embeddings>): FakeReply {
  const texts = [input].flat();
  if (texts.some((text) => countWords([text]) > tokensMax))
    return refused(400, "OutofContextError", "The input is longer than the context of the model.");
  const tokens = countWords(texts);
  return {
    body: {
      id: "1",
      object: "list",
      created: 1,
      model,
      data: texts.map((text, index) => {
        const vector = unitVector(text, { width: native, native });
        const embedding = encoding_format === "base64" ? base64Of(vector) : vector;
        return { object: "embedding", index, embedding };
      }),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    },
  };
}

export function refused(status: number, code: string, message: string): FakeReply {
  return { status, body: { error: { code, message, param: "", type: "BadRequest" } } };
}
