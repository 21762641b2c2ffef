import { z } from "zod";
import { base64File, base64Image, type FakePart, keyOf, textsIn } from "../contents.js";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, unitVector } from "../unit-vectors.js";

export const jinaKey = "jina-secret";

/** A word counts as a token. */
const contextTokens = 8192;
const omniContextTokens = 32_768;
const itemsMax = 512;

const common = {
  input: z.union([z.string(), z.array(z.string()).min(1)]),
  embedding_type: z.enum(["float", "base64"]).default("float"),
  truncate: z.boolean().default(false),
};
/** An input has one modality, and an image is base64 without a data URL before it. */
const mixed = {
  ...common,
  input: z
    .array(
      z.union([
        z.string(),
        z.strictObject({ text: z.string() }),
        z.strictObject({ image: base64Image(["png", "jpeg", "webp"]) }),
      ]),
    )
    .min(1),
};
const retrieval = ["retrieval.query", "retrieval.passage", "text-matching"] as const;

const omni = {
  ...mixed,
  task: z.enum([...retrieval, "classification", "clustering"]).optional(),
  dimensions: z.union([32, 64, 128, 256, 512, 768, 1024].map((width) => z.literal(width))).default(1024),
};

/** Each model has its own tasks, and only v3 knows `normalized`. */
const body = z.discriminatedUnion("model", [
  z.strictObject({
    ...common,
    model: z.literal("jina-embeddings-v3"),
    task: z.enum([...retrieval, "classification", "separation"]).optional(),
    dimensions: z.int().min(32).max(1024).default(1024),
    late_chunking: z.literal(false).optional(),
    normalized: z.boolean().default(false),
  }),
  z.strictObject({
    ...mixed,
    model: z.literal("jina-embeddings-v4"),
    task: z.enum([...retrieval, "code.query", "code.passage"]).optional(),
    dimensions: z.int().min(128).max(2048).default(2048),
    late_chunking: z.literal(false).optional(),
    return_multivector: z.literal(false).optional(),
  }),
  // Of a generation that no shipped catalogue knows.
  z.strictObject({
    ...omni,
    model: z.literal("jina-embeddings-v9-omni-small"),
    task: z.enum(["search"]).optional(),
  }),
  z.strictObject({
    ...mixed,
    input: z
      .array(
        z.union([
          z.string(),
          z.strictObject({ image: base64Image(["png", "jpeg", "webp"]) }),
          z.strictObject({ pdf: base64File(["pdf"]) }),
          z.strictObject({ audio: base64File(["wav", "mp3", "flac", "ogg"]) }),
          z.strictObject({ video: base64File(["mp4", "mov", "webm"]) }),
        ]),
      )
      .min(1),
    model: z.literal("jina-embeddings-v5-omni-small"),
    task: omni.task,
    dimensions: omni.dimensions,
  }),
  z.strictObject({
    ...mixed,
    model: z.literal("jina-clip-v2"),
    task: z.literal("retrieval.query").optional(),
    dimensions: z.int().min(64).max(1024).default(1024),
    normalized: z.boolean().default(false),
  }),
]);

/** https://api.jina.ai/docs */
export function startFakeJina(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${jinaKey}`
        ? undefined
        : { status: 401, body: { code: "AUTH_INVALID_API_KEY", message: "Invalid API key" } },
    refuse: ({ path, message }) => ({
      status: 422,
      body: { detail: [{ type: "value_error", loc: ["body", ...path], msg: message }] },
    }),
    routes: { "POST /v1/embeddings": strictRoute({ body, reply }) },
  });
}

function reply(given: z.output<typeof body>): FakeReply {
  const { model, task = "", dimensions: width } = given;
  const list = typeof given.input === "string" ? [given.input] : given.input;
  const inputs: FakePart[] = list.flatMap((one) => (typeof one === "string" ? one : Object.values(one)));
  const texts = textsIn(inputs);
  if (inputs.length > itemsMax) return tooManyItems(model);
  const tokensMax = model.includes("omni") ? omniContextTokens : contextTokens;
  if (!given.truncate && texts.some((text) => countWords([text]) > tokensMax))
    return refused(`The input exceeds the maximum of ${tokensMax} tokens.`);
  const native = model === "jina-embeddings-v4" ? 2048 : 1024;
  // Vectors that are not normalised: the gateway must do it for a model that has no such option.
  const scale = "normalized" in given && given.normalized ? 1 : 2;
  const tokens = countWords(texts) + (inputs.length - texts.length) * jinaImageTokens;
  return {
    body: {
      model,
      object: "list",
      usage: { total_tokens: tokens },
      data: inputs.map((input, index) => {
        const unit = unitVector(task + keyOf([input]), { width, native });
        const vector = unit.map((value) => scale * value);
        const embedding = given.embedding_type === "base64" ? base64Of(vector) : vector;
        return { object: "embedding", index, embedding };
      }),
    },
  };
}

export const jinaImageTokens = 640;

/** The form of a real refusal: https://github.com/langgenius/dify-official-plugins/issues/1997 */
function tooManyItems(model: string): FakeReply {
  return refused(
    `[RID: ec422fa8] Validation error: 'body -> ${model}' Each input list can contain at most ${itemsMax} items.. Field errors: : Invalid value`,
  );
}

function refused(detail: string): FakeReply {
  return { status: 400, body: { detail } };
}
