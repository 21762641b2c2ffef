import { z } from "zod";
import { hostedImage } from "../hosted-image.js";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { countWords, unitVector } from "../unit-vectors.js";

export const togetherKey = "together-0123456789";

const native = 1024;
const tokensMax = 514;
const side = z.int().min(256).max(1920).multipleOf(8).optional();
const common = {
  model: z.string(),
  prompt: z.string().min(1),
  response_format: z.enum(["base64", "url"]).default("url"),
};
const flux = {
  ...common,
  width: side,
  height: side,
  n: z.int().min(1).max(4).default(1),
  seed: z.int().min(0).optional(),
};
const dataUrl = z.string().regex(/^data:image\/(png|jpeg|webp);base64,/);

/** The fields of each model. Others are ignored or refused, so that they must not be sent. */
const models: Readonly<Record<string, z.ZodObject>> = {
  "black-forest-labs/FLUX.2-pro": z.strictObject({
    ...flux,
    image_url: dataUrl.optional(),
    output_format: z.enum(["jpeg", "png"]).default("jpeg"),
    prompt_upsampling: z.boolean().default(true),
  }),
  "black-forest-labs/FLUX.1-schnell": z.strictObject({ ...flux, negative_prompt: z.string().optional() }),
  "black-forest-labs/FLUX.1-kontext-pro": z.strictObject({ ...flux, image_url: dataUrl.optional() }),
  "google/gemini-3-pro-image": z.strictObject({ ...common, width: side, height: side }),
  "Qwen/Qwen-Image": z.strictObject({ ...common, steps: z.int() }),
};

const image = z.looseObject({ model: z.string(), n: z.int().optional() }).superRefine((body, context) => {
  const schema = models[body.model] ?? z.never();
  for (const issue of schema.safeParse(body).error?.issues ?? []) context.addIssue({ ...issue });
});

const embeddings = z.strictObject({
  model: z.literal("intfloat/multilingual-e5-large-instruct"),
  input: z.union([z.string(), z.array(z.string()).min(1)]),
});

/** https://docs.together.ai/reference/post-images-generations */
export async function startFakeTogether(): Promise<StrictServer> {
  const b64_json = (await hostedImage({ format: "jpeg" })).toString("base64");
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${togetherKey}`
        ? undefined
        : refused(401, "Invalid API key provided.", { code: "invalid_api_key" }),
    refuse: ({ path, message }) => refused(400, message, { param: String(path[0]) }),
    routes: {
      "POST /v1/images/generations": strictRoute({
        body: image,
        reply: ({ model, n = 1 }) => ({
          body: {
            id: "1",
            model,
            object: "list",
            data: Array.from({ length: n }, (_, index) => ({
              index,
              b64_json,
              type: "b64_json",
              timings: { inference: 0.8 },
            })),
          },
        }),
      }),
      "POST /v1/embeddings": strictRoute({ body: embeddings, reply: embed }),
    },
  });
}

/** It reports no usage. */
function embed({ model, input }: z.output<typeof embeddings>): FakeReply {
  const texts = [input].flat();
  const long = texts.map((text) => countWords([text])).find((tokens) => tokens > tokensMax);
  if (long !== undefined)
    return refused(
      413,
      `Input validation error: \`inputs\` must have less than ${tokensMax} tokens. Given: ${long}`,
    );
  return {
    body: {
      object: "list",
      model,
      data: texts.map((text, index) => ({
        object: "embedding",
        index,
        embedding: unitVector(text, { width: native, native }),
      })),
    },
  };
}

export function refused(status: number, message: string, more: object = {}): FakeReply {
  return {
    status,
    body: { id: "1", error: { message, type: "invalid_request_error", param: null, code: null, ...more } },
  };
}
