import { contentForms, contentImageBytesMax } from "@model-gateway/domain/content-input";
import { rasterFormats } from "@model-gateway/domain/image-profile";
import { duration, name, positive, usd } from "@model-gateway/domain/settings";
import { z } from "zod";
import { modelSettings, priceDescription, targetSettings } from "../common-settings.js";
import { inputMedia } from "./media-settings.js";

/** An embedding model, as an operator writes it. */

const maxPercent = z
  .number()
  .positive()
  .max(100)
  .default(5)
  .describe("The maximum percentage of requests that may call a second target.");
const hedge = z.union([
  z.strictObject({
    afterMs: positive.max(60_000).describe("Call a second target after this many milliseconds."),
    maxPercent,
  }),
  z.strictObject({
    percentile: z
      .number()
      .min(50)
      .max(99.9)
      .describe(
        "Call a second target when the first is slower than this percentile of recent replies, such as 95.",
      ),
    maxPercent,
  }),
]);

const coalesce = z.strictObject({
  windowMs: z
    .number()
    .min(0)
    .max(1000)
    .describe("How long a small request waits for others, in milliseconds."),
  maxInputs: positive.max(2048).default(64).describe("Maximum inputs in one joined call."),
});

const shadow = z.strictObject({
  model: name.describe("The id of another embedding model, which has a cache."),
  percent: z.number().positive().max(100).describe("The percentage of inputs, such as 10."),
});

const vocabulary = z.enum(["cl100k_base", "o200k_base", "p50k_base", "r50k_base"]);
const cache = z.strictObject({
  ttl: duration.default("24h").describe("How long a vector is cached, such as 90s, 15m, 24h or 7d."),
  countTokens: z
    .boolean()
    .default(true)
    .describe("Whether the tokens of cached inputs count in the caller's usage."),
});

const price = z.strictObject({
  perMillionTokens: usd.describe("The price of one million input tokens, in US dollars."),
  perMillionImageTokens: usd
    .optional()
    .describe("The price of one million tokens of images, in US dollars. Default: perMillionTokens."),
  perInputImage: usd
    .optional()
    .describe("The price of one image in an input, in US dollars, where images are not billed by tokens."),
  perMillionAudioTokens: usd
    .optional()
    .describe("The price of one million tokens of audio, in US dollars. Default: perMillionTokens."),
  perMillionVideoTokens: usd
    .optional()
    .describe("The price of one million tokens of video, in US dollars. Default: perMillionTokens."),
  perInputPage: usd
    .optional()
    .describe(
      "The price of one page of a PDF in an input, in US dollars. Default: that of tokens of images.",
    ),
  perInputAudioSecond: usd
    .optional()
    .describe(
      "The price of one second of audio in an input, in US dollars, where it is not billed by tokens.",
    ),
  perInputVideoSecond: usd
    .optional()
    .describe(
      "The price of one second of video in an input, in US dollars, where it is not billed by tokens.",
    ),
});

const word = z.string().min(1).max(64);

/** The images in the inputs of a target. */
export const inputImages = z.strictObject({
  maxInputs: positive.max(2048).optional().describe("Maximum inputs with images in one call."),
  maxImagesPerInput: positive.max(16).optional().describe("Maximum images in one input. Default: 16."),
  maxImagesPerRequest: positive.optional().describe("Maximum images in one call. Default: no limit."),
  maxImageBytes: positive
    .max(contentImageBytesMax)
    .optional()
    .describe("Maximum size of one image, in bytes. Default: 20971520."),
  maxImageBytesPerRequest: positive
    .optional()
    .describe("Maximum size of all images in one call, in bytes. Default: 20971520."),
  imageTypes: z
    .array(z.enum(rasterFormats))
    .min(1)
    .optional()
    .describe("The formats that the upstream takes. The gateway converts others. Default: png, jpeg, webp."),
  mixesParts: z
    .boolean()
    .optional()
    .describe("Whether one input may have several parts, such as a text and an image. Default: true."),
  form: z
    .enum(contentForms)
    .optional()
    .describe(
      "For servers with OpenAI's API. content: objects in input, as callers send them. messages: one chat message a call, as vLLM takes it. Default: content.",
    ),
});

const target = z.strictObject({
  ...targetSettings,
  maxInputs: positive
    .max(2048)
    .optional()
    .describe("Maximum inputs in one call. Default: the provider's limit, or the model's maxInputs."),
  bulkMaxInputs: positive
    .max(2048)
    .optional()
    .describe(
      "Maximum inputs in one call of a bulk request. A smaller number makes interactive requests wait less. Default: 64.",
    ),
  maxTokensPerRequest: positive
    .optional()
    .describe("Maximum tokens in one call, all inputs together. Default: the provider's limit, or 300000."),
  maxCharactersPerRequest: positive
    .optional()
    .describe("Maximum characters in one call, all inputs together. Default: the provider's limit, or none."),
  dimensions: z
    .enum(["pass", "emulate"])
    .optional()
    .describe(
      "pass: the upstream supports the parameter dimensions. emulate: it does not, and the gateway shortens its vectors. Default: what the provider supports.",
    ),
  dimensionsField: name
    .optional()
    .describe("The upstream's name for the parameter dimensions. Default: dimensions."),
  encoding: z
    .enum(["float", "base64", "none"])
    .optional()
    .describe(
      "The only encoding_format that the upstream supports, or none if it does not know the parameter. Default: the caller's.",
    ),
  inputTypes: z
    .record(word, z.string().min(1).max(512).nullable())
    .optional()
    .describe(
      "The upstream's words for the values of input_type, such as query: query and document: passage. null leaves the parameter out. Callers may send the upstream's words as well.",
    ),
  inputTypeField: name
    .optional()
    .describe("The upstream's name for the parameter input_type. Default: input_type."),
  inputImages: z
    .union([z.boolean(), inputImages])
    .optional()
    .describe(
      "The images that inputs may have: true, or their limits. false: text alone. Default: what the provider knows of the model.",
    ),
  inputMedia: inputMedia
    .optional()
    .describe(
      "The PDFs, audio and video that inputs may have beside images: true, false, or their limits. Default: what the provider knows of the model.",
    ),
  space: name
    .optional()
    .describe(
      "The name of its vector space. All targets of a model must have the same. Default: the model's name at the upstream, and the width.",
    ),
  price: price.optional().describe("The price at this target. Default: the model's price."),
});

export const embeddingSettings = z.strictObject({
  type: z.literal("embedding"),
  dimensions: positive
    .max(65_536)
    .optional()
    .describe("The width of the model's vectors. Replies of another width are refused."),
  matryoshka: z
    .boolean()
    .default(false)
    .describe(
      "Whether the model was trained so that its vectors may be shortened. Only then may callers ask for fewer dimensions.",
    ),
  tokenizer: vocabulary
    .optional()
    .describe("The vocabulary of the model's own tokens. If it is set, callers may send token ids."),
  clientTokenizer: vocabulary
    .optional()
    .describe(
      "The vocabulary of callers' token ids, if it is not the model's. The gateway decodes them to text.",
    ),
  cache: z
    .union([z.literal(false), cache])
    .optional()
    .describe("Caches vectors by input. Default: 24h for models in the gateway's own process, else false."),
  coalesce: coalesce.optional().describe("Joins small requests that arrive at the same time into one call."),
  hedge: hedge
    .optional()
    .describe("Calls a second target when the first is slow. The first good reply wins."),
  shadow: shadow
    .optional()
    .describe(
      "After the response, embeds a share of the inputs with another model as well, with the priority bulk, so that its cache is full when callers switch to it.",
    ),
  maxInputs: positive.max(2048).default(2048).describe("Maximum inputs in one request."),
  maxTokens: positive
    .optional()
    .describe(
      "Maximum tokens in one input. Longer ones are refused. Default: the provider's limit, if known.",
    ),
  inputType: word
    .optional()
    .describe(
      "The input_type of requests that name none, such as document or query. Required if the provider needs one.",
    ),
  revision: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      "Any text, such as 2. Change it when the vectors behind the same name have changed: cached vectors are no longer used, and x-gateway-space changes.",
    ),
  normalize: z
    .boolean()
    .optional()
    .describe(
      "Whether vectors whose length is not 1 are normalised. Default: only where the provider is known to return such vectors.",
    ),
  ...modelSettings,
  price: price.optional().describe(priceDescription),
  targets: z.array(target).min(1).describe("The upstreams that serve the model."),
});

export type EmbeddingFile = z.output<typeof embeddingSettings>;
