import { z } from "zod";
import { base64Image, type FakePart, imagesIn, inlineFile, keyOf, textsIn } from "../contents.js";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { unitVector } from "../unit-vectors.js";
import {
  countGoogleTokens,
  generateContentRoute,
  googleError,
  pretty,
  refuseField,
} from "./fake-generate-content.js";

export const geminiKey = "gemini-secret";

const native = 3072;
const textPart = z.strictObject({ text: z.string().min(1) });
/** The official client also sends a role. */
const textContent = z.strictObject({
  role: z.literal("user").optional(),
  parts: z.array(textPart).length(1),
});
/** Also of Vertex. The type of an image is its own. */
export const mixedContent = z.strictObject({
  parts: z
    .array(
      z.union([
        textPart,
        z.strictObject({
          inlineData: z.strictObject({ mimeType: z.literal("image/png"), data: base64Image(["png"]) }),
        }),
        z.strictObject({
          inlineData: z.strictObject({ mimeType: z.literal("image/jpeg"), data: base64Image(["jpeg"]) }),
        }),
        inlineFile("pdf"),
        inlineFile("wav"),
        inlineFile("mp3"),
        inlineFile("mp4"),
        inlineFile("mov"),
      ]),
    )
    .min(1),
});
const taskTypes = [
  "RETRIEVAL_QUERY",
  "RETRIEVAL_DOCUMENT",
  "SEMANTIC_SIMILARITY",
  "CLASSIFICATION",
  "CLUSTERING",
  "QUESTION_ANSWERING",
] as const;

/** https://ai.google.dev/api/embeddings */
export async function startFakeGemini(): Promise<StrictServer> {
  const draw = await generateContentRoute();
  return startStrictServer({
    authenticate: ({ headers, path }) =>
      headers["x-goog-api-key"] === geminiKey && !path.includes("key=")
        ? undefined
        : googleError(400, {
            word: "INVALID_ARGUMENT",
            message: "API key not valid. Please pass a valid API key.",
            details: [
              {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                reason: "API_KEY_INVALID",
                domain: "googleapis.com",
              },
            ],
          }),
    refuse: refuseField,
    routes: {
      ...routesOf("gemini-embedding-001"),
      ...routesOf("gemini-embedding-2"),
      "POST /v1beta/models/gemini-nano-banana-2.1:generateContent": draw,
      "POST /v1beta/models/gemini-3-pro-image:generateContent": draw,
    },
  });
}

function routesOf(model: string) {
  const content = model === "gemini-embedding-2" ? mixedContent : textContent;
  const request = z.strictObject({
    model: z.literal(`models/${model}`),
    content,
    taskType: z.enum(taskTypes).optional(),
    title: z.string().optional(),
    outputDimensionality: z.int().min(128).max(native).optional(),
  });
  const body = z.strictObject({ requests: z.array(request).min(1) });
  return {
    [`POST /v1beta/models/${model}:batchEmbedContents`]: strictRoute({
      body,
      reply: ({ requests }) => embed(model, requests),
    }),
    [`POST /v1beta/models/${model}:countTokens`]: strictRoute({
      body: z.strictObject({ contents: z.array(content).length(1) }),
      reply: ({ contents: [one] }) => ({ body: { totalTokens: one ? countTokens(partsOf(one)).all : 0 } }),
    }),
  };
}

/** The parts of one input. */
export function partsOf({ parts }: z.output<typeof mixedContent>): FakePart[] {
  return parts.map((part) => ("text" in part ? part.text : part.inlineData.data));
}

export const googleImageTokens = 258;

export function countTokens(parts: readonly FakePart[]): { readonly all: number; readonly images: number } {
  const images = imagesIn(parts).length * googleImageTokens;
  const texts = textsIn(parts).reduce((sum, text) => sum + countGoogleTokens(text), 0);
  return { all: texts + images, images };
}

interface EmbedRequest {
  readonly content: z.output<typeof mixedContent>;
  readonly taskType?: string | undefined;
  readonly outputDimensionality?: number | undefined;
}

/** Texts that are too long are cut silently, and only full-width vectors have a length of 1. */
function embed(model: string, requests: readonly EmbedRequest[]): FakeReply {
  if (requests.length > 100)
    return googleError(400, {
      word: "INVALID_ARGUMENT",
      message: "* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch",
    });
  const inputs = requests.map(({ content }) => partsOf(content));
  if (inputs.flatMap(imagesIn).length > 6)
    return googleError(400, {
      word: "INVALID_ARGUMENT",
      message: "* at most 6 images can be in one request",
    });
  const { all, images } = countTokens(inputs.flat());
  const embeddings = requests.map(({ taskType = "", outputDimensionality: width = native }, index) => {
    const vector = unitVector(`${taskType}${keyOf(inputs[index] ?? [])}`, { width, native });
    return { values: width === native ? vector : vector.map((value) => value * 0.7) };
  });
  return pretty({
    embeddings,
    ...(model === "gemini-embedding-2"
      ? {
          usageMetadata: {
            promptTokenCount: all,
            promptTokenDetails: [
              { modality: "TEXT", tokenCount: all - images },
              ...(images > 0 ? [{ modality: "IMAGE", tokenCount: images }] : []),
            ],
          },
        }
      : {}),
  });
}
