import { parseObject, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, optionalApiKey } from "../http/remote-settings.js";
import { createOllamaEmbedding } from "./embeddings.js";
import { ollamaServer } from "./server.js";

/** https://docs.ollama.com/api/embed */
export const ollamaProvider = defineRemoteProvider({
  name: "ollama",
  title: "Ollama",
  settings: {
    baseUrl: baseUrlSetting("The address of the server, without /api.", "http://127.0.0.1:11434"),
    apiKey: optionalApiKey,
  },
  defaults: {
    // The first call loads the model, for which the server itself takes up to five minutes.
    timeoutMs: { createEmbedding: 300_000 },
    price: { embedding: { perMillionTokens: 0 }, image: { perImage: 0 } },
  },
  embeddings: () => ({
    // The server sets no limit, but computes all inputs of a call at the same time.
    maxInputs: 64,
    encodings: ["float"],
    dimensions: "pass",
    tooLong: "refused",
    unitVectors: "always",
    takesUser: false,
  }),
  examples: { embeddings: ["any model"] },
  servers: [ollamaServer],
  readError: readOllamaError,
  open: (send, { tools }) => ({
    operations: { createEmbedding: createOllamaEmbedding(send, tools.buffers) },
  }),
});

/**
 * `{"error": "text"}`. Only the text shows that an input is too long: versions differ in the status. A 400 is otherwise
 * a failure inside, such as a lack of memory, because the gateway sends no field that could be wrong.
 */
export function readOllamaError({ status, body }: ErrorReply): ReportedError {
  const message = textOf(parseObject(body)?.error) ?? "";
  if (/input length exceeds the context length|exceeds maximum context length/i.test(message))
    return { message, code: "context_length_exceeded", param: "input" };
  return status === 400 ? { code: "upstream_error" } : {};
}
