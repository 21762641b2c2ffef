import { isObject } from "@model-gateway/runtime/json";
import type { OfferedModels } from "../detection.js";
import { parseObject, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, optionalApiKey } from "../http/remote-settings.js";
import { readTokenCount } from "../http/replies/vectors.js";
import { createTeiEmbedding } from "./embeddings.js";

/** https://huggingface.github.io/text-embeddings-inference */
export const teiProvider = defineRemoteProvider({
  name: "tei",
  title: "text-embeddings-inference",
  settings: {
    baseUrl: baseUrlSetting("The address of the server, without /embed."),
    apiKey: optionalApiKey,
  },
  defaults: { price: { embedding: { perMillionTokens: 0 }, image: { perImage: 0 } } },
  embeddings: () => ({
    encodings: ["float"],
    inputTypes,
    dimensions: "pass",
    tooLong: "refused",
    // With `normalize: true` it shortens first, and normalises then.
    unitVectors: "always",
    takesUser: false,
  }),
  examples: { embeddings: ["any model"] },
  servers: [
    {
      name: "tei",
      title: "text-embeddings-inference",
      port: 8080,
      listPath: "/info",
      basePath: "",
      modelsIn,
    },
  ],
  readError: readTeiError,
  open: (send, { tools }) => ({ operations: { createEmbedding: createTeiEmbedding(send, tools.buffers) } }),
});

/** The names of prompts that models for search have. A model without such a prompt refuses its name. */
const inputTypes = new Map([
  ["query", "query"],
  ["document", "document"],
  ["passage", "passage"],
  ["similarity", null],
  ["classification", null],
  ["clustering", null],
]);

/** A server has one model. Its page of facts names it, and says whether it embeds. */
function modelsIn(info: unknown): OfferedModels | undefined {
  if (!isObject(info) || typeof info.model_id !== "string" || !isObject(info.model_type)) return undefined;
  if (!isObject(info.model_type.embedding)) return {};
  const maxTokens = readTokenCount(info.max_input_length);
  return { embedding: { [info.model_id]: maxTokens === undefined ? {} : { maxTokens } } };
}

/** `{"error": "text", "error_type": "Validation"}`, or the text of its HTTP framework. */
export function readTeiError({ status, body }: ErrorReply): ReportedError {
  const { error, error_type: type } = parseObject(body) ?? {};
  const message = textOf(error);
  const word = textOf(type);
  if (message === undefined) return { word };
  if (status === 422 && /must have less than \d+ (?:tokens|characters)/i.test(message))
    return { word, message, code: "context_length_exceeded", param: "input" };
  return { word, message, param: paramOf(message) };
}

function paramOf(message: string): string | undefined {
  if (/dimensions/i.test(message)) return "dimensions";
  if (/prompt/i.test(message)) return "input_type";
  return /`inputs`|batch size/i.test(message) ? "input" : undefined;
}
