import { z } from "zod";
import { cohereInputs, faultOf, integersOf, mixedInputs, partsOf, wordFor } from "../cohere/fake-cohere.js";
import { base64File, base64Image, keyOf, textsIn } from "../contents.js";
import {
  type FakeReply,
  type FakeRequest,
  type StrictRoute,
  type StrictServer,
  startStrictServer,
  strictRoute,
} from "../strict-server.js";
import { countWords, unitVector } from "../unit-vectors.js";
import { type AccessKey, verifySignature } from "./verify-signature.js";

export const bedrockKey = "bedrock-api-key";
export const bedrockRegion = "eu-central-1";

/** Access keys that the fake accepts, besides its API key. Tests add and remove temporary ones. */
export function permanentKeys(): Map<string, AccessKey> {
  return new Map([["AKIAPERMANENT", { secret: "permanent/secret+key" }]]);
}

const widths = (...allowed: number[]) => z.union(allowed.map((width) => z.literal(width))).optional();

const titanV2 = z.strictObject({
  inputText: z.string().min(1),
  dimensions: widths(256, 512, 1024),
  normalize: z.boolean().default(true),
  embeddingTypes: z.array(z.enum(["float", "binary"])).optional(),
});
const titanV1 = z.strictObject({ inputText: z.string().min(1) });
/** At least one of both. */
const titanImage = z
  .strictObject({
    inputText: z.string().min(1).optional(),
    inputImage: base64Image(["png", "jpeg"]).optional(),
    embeddingConfig: z.strictObject({ outputEmbeddingLength: widths(256, 384, 1024) }).optional(),
  })
  .refine(({ inputText, inputImage }) => inputText !== undefined || inputImage !== undefined);
const cohere = {
  ...cohereInputs,
  embedding_types: z.array(z.enum(["float", "int8", "uint8", "binary", "ubinary"])).min(1),
};
const cohereV3 = z.strictObject({ ...cohere, truncate: z.enum(["NONE", "START", "END"]).default("NONE") });
const cohereV4 = z.strictObject({
  ...cohere,
  inputs: mixedInputs,
  truncate: z.enum(["NONE", "LEFT", "RIGHT"]).default("NONE"),
  output_dimension: widths(256, 512, 1024, 1536),
});
/** One modality in a call. */
const nova = z.strictObject({
  schemaVersion: z.literal("nova-multimodal-embed-v1").optional(),
  taskType: z.literal("SINGLE_EMBEDDING"),
  singleEmbeddingParams: z
    .strictObject({
      embeddingPurpose: z.enum(["GENERIC_INDEX", "TEXT_RETRIEVAL", "CLASSIFICATION", "CLUSTERING"]),
      embeddingDimension: widths(256, 384, 1024, 3072),
      text: z
        .strictObject({ truncationMode: z.enum(["START", "END", "NONE"]), value: z.string().min(1) })
        .optional(),
      audio: z
        .strictObject({
          format: z.enum(["mp3", "wav", "ogg"]),
          source: z.strictObject({ bytes: base64File(["mp3", "wav", "ogg"]) }),
        })
        .optional(),
      video: z
        .strictObject({
          format: z.enum(["mp4", "mov", "mkv", "webm", "flv", "mpeg", "mpg", "wmv", "3gp"]),
          embeddingMode: z.enum(["AUDIO_VIDEO_COMBINED", "AUDIO_VIDEO_SEPARATE"]),
          source: z.strictObject({ bytes: base64File(["mp4", "mov", "webm"]) }),
        })
        .optional(),
      image: z
        .strictObject({
          detailLevel: z.enum(["STANDARD_IMAGE", "DOCUMENT_IMAGE"]).optional(),
          format: z.enum(["png", "jpeg", "gif", "webp"]),
          source: z.strictObject({ bytes: base64Image(["png", "jpeg", "webp"]) }),
        })
        .optional(),
    })
    .refine(
      ({ text, image, audio, video }) =>
        [text, image, audio, video].filter((one) => one !== undefined).length === 1,
    ),
});

const embeddingRoutes = {
  "amazon.titan-embed-text-v2:0": strictRoute({
    body: titanV2,
    reply: ({ inputText, dimensions = 1024, normalize }) => {
      const vector = scaled(unitVector(inputText, { width: dimensions, native: 1024 }), normalize ? 1 : 3);
      return titanReply(inputText, vector, { embeddingsByType: { float: vector } });
    },
  }),
  "amazon.titan-embed-text-v1": strictRoute({
    body: titanV1,
    reply: ({ inputText }) =>
      // Its vectors are not of unit length.
      titanReply(inputText, scaled(unitVector(inputText, { width: 1536, native: 1536 }), 20), {}),
  }),
  "amazon.titan-embed-image-v1": strictRoute({
    body: titanImage,
    reply: ({ inputText, inputImage, embeddingConfig: { outputEmbeddingLength: width = 1024 } = {} }) => {
      const parts = [...(inputText ? [inputText] : []), ...(inputImage ? [inputImage] : [])];
      const tokens = inputText === undefined ? 0 : countWords([inputText]);
      if (tokens > 256) return tooManyTokens(256, tokens);
      return {
        body: {
          embedding: scaled(unitVector(keyOf(parts), { width, native: 1024 }), 3),
          inputTextTokenCount: tokens,
          message: null,
        },
      };
    },
  }),
  "cohere.embed-english-v3": strictRoute({
    body: cohereV3,
    reply: (given) =>
      cohereReply(given, { version: 3, width: 1024, native: 1024, lengthMax: 2048, tokensMax: 512 }),
  }),
  "us.cohere.embed-v4:0": strictRoute({
    body: cohereV4,
    reply: (given) =>
      cohereReply(given, {
        version: 4,
        width: given.output_dimension ?? 1536,
        native: 1536,
        lengthMax: Number.POSITIVE_INFINITY,
        tokensMax: 128_000,
      }),
  }),
  "amazon.nova-2-multimodal-embeddings-v1:0": strictRoute({
    body: nova,
    reply: ({ singleEmbeddingParams: { embeddingDimension = 3072, text, ...files } }) => {
      const tokens = text === undefined ? 0 : countWords([text.value]);
      if (tokens > 8192) return tooManyTokens(8192, tokens);
      const { source } = files.image ?? files.audio ?? files.video ?? {};
      const key = keyOf([text?.value ?? source?.bytes ?? ""]);
      return {
        headers: text === undefined ? {} : { "x-amzn-bedrock-input-token-count": String(tokens) },
        body: {
          embeddings: [
            {
              embeddingType: text === undefined ? "IMAGE" : "TEXT",
              embedding: unitVector(key, { width: embeddingDimension, native: 3072 }),
            },
          ],
        },
      };
    },
  }),
};

export interface FakeBedrockOptions {
  /** More models, by the id that is called. */
  readonly routes?: Readonly<Record<string, StrictRoute>>;
  readonly keys?: ReadonlyMap<string, AccessKey>;
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html */
export function startFakeBedrock(options: FakeBedrockOptions = {}): Promise<StrictServer> {
  const { routes = {}, keys = permanentKeys() } = options;
  return startStrictServer({
    authenticate: (request) => authenticate(request, keys),
    refuse: ({ path, message }) => invalid(`Malformed input request: #/${path.join("/")}: ${message}`),
    routes: Object.fromEntries(
      Object.entries({ ...embeddingRoutes, ...routes }).map(([id, route]) => [
        `POST /model/${encodeURIComponent(id)}/invoke`,
        route,
      ]),
    ),
  });
}

function authenticate(request: FakeRequest, keys: ReadonlyMap<string, AccessKey>): FakeReply | undefined {
  const { authorization = "", accept } = request.headers;
  if (accept !== "application/json") return invalid("accept must be application/json");
  if (!authorization.startsWith("Bearer ")) return verifySignature(request, keys, bedrockRegion);
  return authorization === `Bearer ${bedrockKey}`
    ? undefined
    : failure(403, "AccessDeniedException", "Authentication failed: API Key is not valid.");
}

function titanReply(text: string, embedding: readonly number[], more: object): FakeReply {
  if (text.length > 50_000)
    return invalid(`Malformed input request: expected maxLength: 50000, actual: ${text.length}`);
  const tokens = countWords([text]);
  if (tokens > 8192) return tooManyTokens(8192, tokens);
  return { body: { embedding, inputTextTokenCount: tokens, ...more } };
}

interface CohereLimits {
  readonly version: 3 | 4;
  readonly width: number;
  readonly native: number;
  readonly lengthMax: number;
  readonly tokensMax: number;
}

function cohereReply(given: z.output<typeof cohereV3 | typeof cohereV4>, limits: CohereLimits): FakeReply {
  const { input_type, embedding_types: types, texts = [] } = given;
  const { version, width, native, lengthMax, tokensMax } = limits;
  if (texts.length > 96)
    return invalid(`Malformed input request: #/texts: expected maxItems: 96, actual: ${texts.length}`);
  const fault = faultOf({ ...given, version });
  if (fault !== undefined) return invalid(`Malformed input request: ${fault}`);
  const long = texts.findIndex((text) => text.length > lengthMax);
  if (long !== -1)
    return invalid(
      `Malformed input request: #/texts/${long}: expected maxLength: ${lengthMax}, actual: ${texts[long]?.length}`,
    );
  const wordy = texts.findIndex((text) => countWords([text]) > tokensMax);
  if (wordy !== -1) return invalid(`text at index ${wordy} is too long: too many tokens`);
  const parts = partsOf(given);
  const vectors = parts.map((one) => unitVector(wordFor(input_type) + keyOf(one), { width, native }));
  return {
    headers: { "x-amzn-bedrock-input-token-count": String(countWords(parts.flatMap(textsIn))) },
    body: {
      id: "e0",
      texts,
      embeddings: {
        ...(types.includes("float") ? { float: vectors } : {}),
        ...integersOf(vectors, types),
      },
      response_type: "embeddings_by_type",
    },
  };
}

function scaled(vector: readonly number[], factor: number): number[] {
  return vector.map((number) => number * factor);
}

function tooManyTokens(max: number, count: number): FakeReply {
  return invalid(
    `400 Bad Request: Too many input tokens. Max input tokens: ${max}, request input token count: ${count} `,
  );
}

export function invalid(message: string): FakeReply {
  return failure(400, "ValidationException", message);
}

/** The class of an error is in a header. */
export function failure(status: number, type: string, message: string): FakeReply {
  return {
    status,
    headers: { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
    body: { message },
  };
}
