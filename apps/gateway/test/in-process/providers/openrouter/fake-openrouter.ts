import sharp from "sharp";
import { z } from "zod";
import { mixedInputs } from "../cohere/fake-cohere.js";
import { type FakePart, imagesIn, keyOf, textsIn } from "../contents.js";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, unitVector } from "../unit-vectors.js";

export const openRouterKey = "sk-or-v1-0123456789";
const native = 1536;
/** A word counts as a token. */
const contextTokens = 8192;

const embeddingBody = z.strictObject({
  model: z.string(),
  // Texts, or objects with texts and images: the two are not mixed.
  input: z.union([z.array(z.string().min(1)).min(1), mixedInputs.unwrap()]),
  dimensions: z.int().positive().optional(),
  encoding_format: z.enum(["float", "base64"]).optional(),
  input_type: z.enum(["search_query", "search_document", "classification", "clustering"]).optional(),
  user: z.string().optional(),
});

const imageBody = z.strictObject({
  model: z.string(),
  prompt: z.string().min(1),
  n: z.int().min(1).max(10).optional(),
  size: z.string().optional(),
  quality: z.enum(["auto", "low", "medium", "high", "xhigh", "max"]).optional(),
  background: z.enum(["auto", "transparent", "opaque"]).optional(),
  output_format: z.enum(["png", "jpeg", "webp", "svg"]).optional(),
  output_compression: z.int().min(0).max(100).optional(),
  seed: z.int().optional(),
  user: z.string().optional(),
  input_references: z
    .array(
      z.strictObject({
        type: z.literal("image_url"),
        image_url: z.strictObject({ url: z.string().regex(/^data:image\/png;base64,/) }),
      }),
    )
    .optional(),
});

/** https://openrouter.ai/docs/api-reference */
export async function startFakeOpenRouter(): Promise<StrictServer> {
  const image = await sharp({ create: { width: 16, height: 16, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${openRouterKey}` ? undefined : refused(401, "User not found."),
    refuse: ({ path, message }) => refused(400, `${path.join(".")}: ${message}`),
    routes: {
      "POST /api/v1/embeddings": strictRoute({ body: embeddingBody, reply: embed }),
      "POST /api/v1/images": strictRoute({ body: imageBody, reply: (body) => create(body, image) }),
      "GET /api/v1/images/models": strictRoute({ body: z.undefined(), reply: () => ({ body: imageModels }) }),
      "GET /api/v1/embeddings/models": strictRoute({
        body: z.undefined(),
        reply: () => ({
          body: { data: [{ id: "openai/text-embedding-3-small", name: "Small", context_length: 8192 }] },
        }),
      }),
    },
  });
}

/** The form of a list from the documentation, shortened. */
const imageModels = {
  data: [
    {
      id: "openai/gpt-image-2",
      name: "GPT Image 2",
      architecture: { input_modalities: ["text", "image"], output_modalities: ["image"] },
      supports_streaming: true,
      supported_parameters: {
        resolution: { type: "enum", values: ["1K", "2K", "4K"] },
        quality: { type: "enum", values: ["low", "medium", "high"] },
        background: { type: "enum", values: ["transparent", "opaque"] },
        output_format: { type: "enum", values: ["png", "jpeg", "webp"] },
        output_compression: { type: "range", min: 0, max: 100 },
        n: { type: "range", min: 1, max: 10 },
      },
    },
    {
      id: "bytedance-seed/seedream-4.5",
      name: "Seedream 4.5",
      architecture: { input_modalities: ["text"], output_modalities: ["image"] },
      supports_streaming: false,
      supported_parameters: { aspect_ratio: { type: "enum", values: ["1:1"] }, seed: { type: "boolean" } },
    },
    { id: "an entry of another shape" },
  ],
};

function embed(body: z.output<typeof embeddingBody>): FakeReply {
  const { model, encoding_format, dimensions = native } = body;
  const inputs = openRouterParts(body);
  const texts = inputs.flatMap(textsIn);
  const long = inputs.findIndex((parts) => countWords(textsIn(parts)) > contextTokens);
  if (long !== -1)
    return hostRefused({
      message: `Invalid 'input[${long}]': maximum context length is ${contextTokens} tokens.`,
      type: "invalid_request_error",
      param: `input[${long}]`,
      code: "context_length_exceeded",
    });
  const imageTokens = inputs.flatMap(imagesIn).length * openRouterImageTokens;
  const tokens = countWords(texts) + imageTokens;
  return {
    body: {
      object: "list",
      id: "gen-emb-1",
      model,
      // $0.02 for a million tokens.
      usage: {
        prompt_tokens: tokens,
        ...(imageTokens > 0 ? { prompt_tokens_details: { image_tokens: imageTokens } } : {}),
        total_tokens: tokens,
        cost: (tokens * 0.02) / 1_000_000,
      },
      data: inputs.map((parts, index) => {
        const vector = unitVector(keyOf(parts), { width: dimensions, native });
        return {
          object: "embedding",
          index,
          embedding: encoding_format === "base64" ? base64Of(vector) : vector,
        };
      }),
    },
  };
}

export const openRouterImageTokens = 258;

/** The parts of each input. */
export function openRouterParts({ input }: Pick<z.output<typeof embeddingBody>, "input">): FakePart[][] {
  return input.map((one) =>
    typeof one === "string"
      ? [one]
      : one.content.map((part) => (part.type === "text" ? part.text : part.image_url.url)),
  );
}

function create({ prompt }: z.output<typeof imageBody>, image: Buffer): FakeReply {
  if (prompt.includes("forbidden"))
    return refused(403, "Your chosen model requires moderation and your input was flagged.", {
      reasons: ["violence"],
      flagged_input: "forbidden",
      provider_name: "OpenAI",
      model_slug: "openai/gpt-image-2",
    });
  if (prompt.includes("gruesome"))
    return hostRefused({
      message: "Your request was rejected by the safety system.",
      type: "image_generation_user_error",
      param: null,
      code: "moderation_blocked",
    });
  return {
    body: {
      created: 1_763_000_000,
      data: [{ b64_json: image.toString("base64"), media_type: "image/png" }],
      usage: {
        prompt_tokens: 11,
        completion_tokens: 1290,
        completion_tokens_details: { image_tokens: 1290 },
        total_tokens: 1301,
        cost: 0.0387,
      },
    },
  };
}

/** An error of the model's host, as OpenRouter quotes it. */
export function hostRefused(error: object): FakeReply {
  return refused(400, "Provider returned error", {
    provider_name: "OpenAI",
    raw: JSON.stringify({ error }),
  });
}

export function refused(status: number, message: string, metadata?: object): FakeReply {
  return { status, body: { error: { code: status, message, metadata }, user_id: "user_1" } };
}
