import { resolve } from "node:path";
import { z } from "zod";
import { googleInputTypes, textTokensMax } from "../dialects/google/embeddings.js";
import { readGoogleError } from "../dialects/google/errors.js";
import { createGeminiImageOperations, geminiImageProfile } from "../dialects/google/images.js";
import { baseUrlSetting, describeRemote, remoteSettings } from "../http/remote-settings.js";
import { type Send, UpstreamClient } from "../http/send.js";
import { checkNetworkSettings, unlessFaulty } from "../http/settings.js";
import { defineProvider } from "../provider.js";
import type { EmbeddingTraits } from "../traits.js";
import { createVertexEmbedding } from "./embeddings.js";
import { createGoogleToken } from "./google-token.js";

const segment = /^[\w.:-]{1,100}$/;

/** Google's models in a project of Google Cloud. https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest */
export const vertexProvider = defineProvider({
  name: "vertex",
  genAiName: "gcp.vertex_ai",
  title: "Google Vertex AI",
  settings: z
    .strictObject({
      provider: z.literal("vertex"),
      baseUrl: baseUrlSetting(
        "The address of the API, with its version. Default: https://{location}-aiplatform.googleapis.com/v1.",
      ).optional(),
      project: z.string().regex(segment, "must be the id of a project").describe("The id of the project."),
      location: z
        .string()
        .regex(/^[a-z0-9-]{1,60}$/, "must be a location such as europe-west4, or global")
        .describe("The location, such as europe-west4, or global."),
      credentialsFile: z
        .string()
        .min(1)
        .optional()
        .describe(
          "The path of the key file of a service account. Default: the metadata server of the machine is asked.",
        ),
      ...remoteSettings,
    })
    .superRefine(
      (settings, context) => checkNetworkSettings({ ...settings, baseUrl: baseUrlOf(settings) }, context),
      unlessFaulty("baseUrl", "location", "headers", "proxy", "tls"),
    )
    .superRefine(checkHeaders, unlessFaulty("headers")),
  defaults: {},
  embeddings: traitsOf,
  // There are no masks: an edit says in words what changes.
  images: (model) => ({ profile: geminiImageProfile(model) }),
  examples: {
    embeddings: ["text-embedding-005", "gemini-embedding-001", "gemini-embedding-2"],
    images: ["gemini-2.5-flash-image", "gemini-3-pro-image-preview"],
  },
  describe: (settings, directory) => {
    const { credentialsFile } = settings;
    return {
      ...describeRemote({ ...settings, baseUrl: baseUrlOf(settings) }),
      hasKey: true,
      settings:
        credentialsFile === undefined
          ? settings
          : { ...settings, credentialsFile: resolve(directory, credentialsFile) },
    };
  },
  open: async (settings, tools) => {
    const { project, location } = settings;
    const authentication = createGoogleToken(settings, tools);
    const client = new UpstreamClient(
      { ...settings, baseUrl: baseUrlOf(settings), authentication, readError: readGoogleError },
      tools,
    );
    const models = `/projects/${encodeURIComponent(project)}/locations/${location}/publishers/google/models/`;
    const pathOf = (model: string): string => `${models}${encodeURIComponent(model)}`;
    const send: Send = (request, call) => client.send(request, call);
    return {
      operations: {
        createEmbedding: createVertexEmbedding(send, pathOf),
        ...createGeminiImageOperations(send, pathOf),
      },
      unavailable: () => undefined,
      close: () => client.close(),
    };
  },
});

function baseUrlOf({
  baseUrl,
  location,
}: {
  readonly baseUrl?: string | undefined;
  readonly location: string;
}): string {
  const prefix = location === "global" ? "" : `${location}-`;
  return baseUrl ?? `https://${prefix}aiplatform.googleapis.com/v1`;
}

function checkHeaders(
  { headers = {} }: { readonly headers?: Readonly<Record<string, string>> | undefined },
  context: z.core.$RefinementCtx,
): void {
  const header = Object.keys(headers).find((name) => name.toLowerCase() === "authorization");
  if (header === undefined) return;
  context.addIssue({
    code: "custom",
    path: ["headers", header],
    message: "is sent by the gateway already; remove it",
  });
}

function traitsOf(model: string): EmbeddingTraits {
  const isGemini = model.startsWith("gemini");
  return {
    // One input, whichever of the two verbs a model of Gemini has.
    maxInputs: isGemini ? 1 : 250,
    ...(isGemini ? {} : { maxTokensPerRequest: 20_000 }),
    maxTokens: textTokensMax(model),
    encodings: ["float"],
    inputTypes: googleInputTypes,
    dimensions: "pass",
    widths: isGemini ? [128, 256, 512, 768, 1024, 1536, 2048, 3072] : [128, 256, 512, 768],
    tooLong: "refused",
    unitVectors: "not-always",
    takesUser: false,
  };
}
