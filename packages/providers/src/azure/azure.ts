import { GatewayError } from "@model-gateway/domain/errors";
import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { imageProfiles } from "@model-gateway/domain/image-profiles";
import { isObject } from "@model-gateway/runtime/json";
import { z } from "zod";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import { createProvenanceCheck } from "../dialects/openai/check-provenance.js";
import { openAiTraits } from "../dialects/openai/define-provider.js";
import { readOpenAiError } from "../dialects/openai/errors.js";
import { createOpenAiOperations } from "../dialects/openai/operations.js";
import { parseObject } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider, type RemoteSettings } from "../http/remote-provider.js";
import { baseUrlSetting, linkSettings, optionalApiKey } from "../http/remote-settings.js";
import type { Send } from "../http/send.js";
import { refuseHeader } from "../http/settings.js";
import type { ProviderOperations, ProviderTools } from "../provider.js";
import { createEntraToken, entraSetting } from "./entra.js";
import { createPathOf, surfaceOfVersion } from "./surface.js";

/** OpenAI's gpt-image models without the newest qualities, and without webp, which the gateway converts to. */
const profile: ImageProfile = {
  ...imageProfiles["gpt-image"],
  name: "azure-gpt-image",
  qualities: ["auto", "low", "medium", "high"],
  outputFormats: ["png", "jpeg"],
};

const azureSettings = {
  baseUrl: baseUrlSetting(
    "The endpoint of the resource, without /openai, such as https://my-resource.openai.azure.com.",
  ),
  apiKey: optionalApiKey.describe(
    "A key of the resource, sent as api-key. Take it from the environment: ${NAME}.",
  ),
  entra: entraSetting.optional(),
  surface: z
    .enum(["v1", "classic"])
    .optional()
    .describe(
      "v1 sends all operations to /openai/v1, classic to /openai/deployments. Default: by apiVersion, or else what works for each operation.",
    ),
  apiVersion: z
    .string()
    .regex(/^[\w.-]{1,40}$/, "must be a version such as 2024-10-21")
    .optional()
    .describe("The version of the API: a date for classic; v1 or preview for v1."),
  ...linkSettings,
};

/** OpenAI's models at Microsoft. https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference */
export const azureProvider = defineRemoteProvider({
  name: "azure",
  genAiName: "azure.ai.openai",
  title: "Azure OpenAI",
  settings: azureSettings,
  rule: { keys: ["apiKey", "entra", "surface", "apiVersion", "headers"], check: checkAzureSettings },
  defaults: { acceptsUnknown: true },
  embeddings: ({ facts }) =>
    embeddingTraits(facts, { ...openAiTraits, maxInputs: 2048, tokenizer: "cl100k_base" }),
  images: ({ facts }) => imageTraits(facts, { profile, mask: "alpha" }),
  checksProvenance: true,
  usesMachineCredentials: ({ entra }) => entra === "managed" || entra === "workload",
  examples: { embeddings: ["a deployment"], images: ["a deployment"] },
  environment: {
    settings: {
      apiKey: { variables: ["AZURE_OPENAI_API_KEY"], isRequired: true },
      baseUrl: { variables: ["AZURE_OPENAI_ENDPOINT"], isRequired: true },
    },
    // The deployments have names that only the resource knows.
    models: {
      embedding: { "azure/embeddings/*": { model: "*" } },
      image: { "azure/images/*": { model: "*" } },
    },
  },
  describe: () => ({ hasKey: true }),
  authenticate: ({ apiKey, entra = "managed", ...connection }, tools) =>
    apiKey === undefined ? createEntraToken(entra, connection, tools) : ["api-key", apiKey],
  readError: readAzureError,
  open: (send, { settings, tools }) => {
    const pathOf = createPathOf(settings);
    const sendTo: Send = ({ path, ...request }, call) =>
      send({ ...request, path: pathOf(path, call.model) }, call);
    return {
      operations: createAzureOperations(sendTo, tools),
      checkProvenance: createProvenanceCheck(sendTo),
    };
  },
});

function checkAzureSettings(
  settings: RemoteSettings<typeof azureSettings>,
  context: z.core.$RefinementCtx,
): void {
  const { apiKey, entra, surface, apiVersion, headers } = settings;
  const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
  if (apiKey === undefined && entra === undefined)
    refuse(["apiKey"], "is required, unless entra says how to authenticate");
  if (apiKey !== undefined && entra !== undefined)
    refuse(["entra"], "is not used with an apiKey; remove one of the two");
  refuseHeader({ name: apiKey === undefined ? "authorization" : "api-key", headers }, context);
  if (surface !== undefined && apiVersion !== undefined && surfaceOfVersion(apiVersion) !== surface)
    refuse(
      ["apiVersion"],
      surface === "v1" ? "must be v1 or preview with surface: v1" : "must be a date with surface: classic",
    );
}

/** OpenAI's operations, at other paths. */
function createAzureOperations(send: Send, tools: Pick<ProviderTools, "buffers">): ProviderOperations {
  const operations = createOpenAiOperations(send, tools);
  return {
    ...operations,
    createImageEdit: async (request, call) => {
      // Only OpenAI's JSON form of an edit has it, and Azure takes a multipart form.
      if (request.moderation !== undefined && request.moderation !== "auto")
        throw new GatewayError(
          "unsupported_parameter",
          "Unsupported parameter: 'moderation' is not supported for edits with this model.",
          { param: "moderation" },
        );
      return operations.createImageEdit(request, call);
    },
  };
}

/** OpenAI's error object with Azure's codes. */
export function readAzureError(reply: ErrorReply): ReportedError {
  const reported = readOpenAiError(reply);
  const { error } = parseObject(reply.body) ?? {};
  const inner = isObject(error) ? (error.inner_error ?? error.innererror) : undefined;
  const { status } = reply;
  const { message = "", word } = reported;
  if (status === 400 && isObject(inner) && inner.code === "ResponsibleAIPolicyViolation")
    return { ...reported, code: "moderation_blocked" };
  // The deployment serves another kind of model: the configuration's fault, not the caller's.
  if (status === 400 && word === "OperationNotSupported")
    return { ...reported, code: "upstream_model_missing" };
  if (status === 400 && /maximum (?:context|input) length is \d+ tokens/i.test(message)) {
    const index = /\binput\[(\d+)\]/.exec(message)?.[1];
    const param = index === undefined ? "input" : `input[${index}]`;
    return { ...reported, code: "context_length_exceeded", param };
  }
  const seconds = Number(/retry after (\d{1,6}) seconds/i.exec(message)?.[1]);
  return status === 429 && seconds > 0 ? { ...reported, retryAfterMs: seconds * 1000 } : reported;
}
