import { z } from "zod";
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
/** The official client also sends a role. */
const textContent = z.strictObject({
  role: z.literal("user").optional(),
  parts: z.array(z.strictObject({ text: z.string().min(1) })).length(1),
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
  const request = z.strictObject({
    model: z.literal(`models/${model}`),
    content: textContent,
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
      body: z.strictObject({ contents: z.array(textContent).length(1) }),
      reply: ({ contents }) => ({
        body: { totalTokens: countGoogleTokens(contents[0]?.parts[0]?.text ?? "") },
      }),
    }),
  };
}

interface EmbedRequest {
  readonly content: z.output<typeof textContent>;
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
  const texts = requests.map(({ content }) => content.parts[0]?.text ?? "");
  const tokens = texts.reduce((sum, text) => sum + countGoogleTokens(text), 0);
  const embeddings = requests.map(({ taskType = "", outputDimensionality: width = native }, index) => {
    const vector = unitVector(`${taskType}${texts[index]}`, { width, native });
    return { values: width === native ? vector : vector.map((value) => value * 0.7) };
  });
  return pretty({
    embeddings,
    ...(model === "gemini-embedding-2" ? { usageMetadata: { promptTokenCount: tokens } } : {}),
  });
}
