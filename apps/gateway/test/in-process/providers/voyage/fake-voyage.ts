import { z } from "zod";
import { base64File, dataUrlImage, imagesIn, keyOf, textsIn } from "../contents.js";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { base64Of, countWords, quantized, unitVector } from "../unit-vectors.js";

export const voyageKey = "voyage-secret";

const native = 1024;
/** A word counts as a token. */
const contextTokens = 32_000;
const batchTokensMax = 120_000;

/** `float` is not a value of `encoding_format`, and `truncation` cuts texts unless it is false. */
const body = z.strictObject({
  model: z.enum(["voyage-4-large", "voyage-4-lite"]),
  input: z.union([z.string(), z.array(z.string()).min(1).max(128)]),
  input_type: z.enum(["query", "document"]).nullable().optional(),
  truncation: z.boolean().default(true),
  output_dimension: z.union([256, 512, 1024, 2048].map((width) => z.literal(width))).optional(),
  output_dtype: z.enum(["float", "int8", "uint8"]).optional(),
  encoding_format: z.literal("base64").nullable().optional(),
});

/** https://docs.voyageai.com/reference/embeddings-api */
export function startFakeVoyage(): Promise<StrictServer> {
  return startStrictServer({
    authenticate: ({ headers }) =>
      headers.authorization === `Bearer ${voyageKey}`
        ? undefined
        : { status: 401, body: { detail: "Provided API key is invalid." } },
    refuse: ({ path, message }) => refused(`Argument ${path.join(".")} is not valid: ${message}`),
    routes: {
      "POST /v1/embeddings": strictRoute({ body, reply }),
      "POST /v1/multimodalembeddings": strictRoute({ body: multimodalBody, reply: replyToContents }),
    },
  });
}

/** A part has no more than its type and its content, and an image is a data URL. */
const multimodalBody = z.strictObject({
  model: z.enum(["voyage-multimodal-3", "voyage-multimodal-3.5"]),
  inputs: z
    .array(
      z.strictObject({
        content: z
          .array(
            z.discriminatedUnion("type", [
              z.strictObject({ type: z.literal("text"), text: z.string().min(1) }),
              z.strictObject({
                type: z.literal("image_base64"),
                image_base64: dataUrlImage(["png", "jpeg", "webp"]),
              }),
              z.strictObject({
                type: z.literal("video_base64"),
                video_base64: z
                  .string()
                  .startsWith("data:video/mp4;base64,")
                  .transform((url) => url.slice("data:video/mp4;base64,".length))
                  .pipe(base64File(["mp4"])),
              }),
            ]),
          )
          .min(1),
      }),
    )
    .min(1)
    .max(1000),
  input_type: z.enum(["query", "document"]).nullable().optional(),
  truncation: z.boolean().default(true),
});

/** The smallest image counts as one of 50,000 pixels, and 560 pixels are a token. */
const imagePixels = 50_000;
export const voyageImageTokens = Math.ceil(imagePixels / 560);

function replyToContents({
  model,
  inputs,
  input_type,
  truncation,
}: z.output<typeof multimodalBody>): FakeReply {
  const all = inputs.map(({ content }) =>
    content.map((part) => {
      if (part.type === "text") return part.text;
      return part.type === "image_base64" ? part.image_base64 : part.video_base64;
    }),
  );
  const long = all.findIndex((parts) => countWords(textsIn(parts)) > contextTokens);
  if (long !== -1 && !truncation) return tooManyTokens(model, long);
  const images = all.flatMap(imagesIn).length;
  const tokens = countWords(all.flatMap(textsIn));
  return {
    body: {
      object: "list",
      data: all.map((parts, index) => ({
        object: "embedding",
        embedding: unitVector(`${input_type ?? ""}${keyOf(parts)}`, { width: native, native }),
        index,
      })),
      model,
      usage: {
        text_tokens: tokens,
        image_pixels: images * imagePixels,
        total_tokens: tokens + images * voyageImageTokens,
      },
    },
  };
}

function tooManyTokens(model: string, index: number): FakeReply {
  return refused(
    `Request to model '${model}' failed. The example at index ${index} in your batch has too many tokens and does not fit into the model's context window of ${contextTokens} tokens. Please lower the number of tokens in the listed example(s) or use truncation.`,
  );
}

function reply(given: z.output<typeof body>): FakeReply {
  const texts = typeof given.input === "string" ? [given.input] : given.input;
  const width = given.output_dimension ?? native;
  const long = texts.findIndex((text) => countWords([text]) > contextTokens);
  if (long !== -1 && !given.truncation) return tooManyTokens(given.model, long);
  const tokens = countWords(texts);
  if (tokens > batchTokensMax)
    return refused(
      `Request to model '${given.model}' failed. The max allowed tokens per submitted batch is ${batchTokensMax}. Your batch has ${tokens} tokens after truncation. Please lower the number of tokens in the batch.`,
    );
  return {
    body: {
      object: "list",
      data: texts.map((text, index) => {
        // A cut text has another vector: a test would notice.
        const kept = text.split(/\s+/).slice(0, contextTokens).join(" ");
        const vector = unitVector(`${given.input_type ?? ""}${kept}`, { width, native });
        const { output_dtype: dtype = "float" } = given;
        const numbers = dtype === "float" ? vector : quantized(vector, dtype);
        const embedding = given.encoding_format === "base64" ? base64Of(numbers) : numbers;
        return { object: "embedding", embedding, index };
      }),
      model: given.model,
      usage: { total_tokens: tokens },
    },
  };
}

function refused(detail: string): FakeReply {
  return { status: 400, body: { detail } };
}
