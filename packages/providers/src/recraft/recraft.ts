import { z } from "zod";
import { readOpenAiError } from "../dialects/openai/errors.js";
import { parseObject, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, requiredApiKey } from "../http/remote-settings.js";
import { createRecraftOperations } from "./images.js";
import { traitsOf } from "./models.js";

/** Recraft's API: creations as OpenAI has them, and edits at other paths. https://www.recraft.ai/docs/api-reference */
export const recraftProvider = defineRemoteProvider({
  name: "recraft",
  title: "Recraft",
  settings: {
    baseUrl: baseUrlSetting(
      "The address of the service, up to and including /v1.",
      "https://external.api.recraft.ai/v1",
    ),
    apiKey: requiredApiKey,
    strength: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(
        "How far an edit without a mask may move from its image: 0 is almost the same image, 1 almost another.",
      ),
  },
  images: ({ facts }) => traitsOf(facts),
  needs: { image: "facts" },
  environment: {
    settings: { apiKey: { variables: ["RECRAFT_API_TOKEN"], isRequired: true } },
  },
  readError: readRecraftError,
  open: (send, { settings: { strength }, tools }) => ({
    operations: createRecraftOperations(send, { strength, buffers: tools.buffers }),
  }),
});

/**
 * `{ "code", "message" }`, or a plain text. Recraft does not document how it reports moderation: such a refusal is
 * like any other, with the service's message. https://www.recraft.ai/docs/api-reference/error-handling
 */
export function readRecraftError(reply: ErrorReply): ReportedError {
  const reported = readOpenAiError(reply, { random_seed: "seed" });
  if (reported.word === "not_enough_credits") return { ...reported, code: "insufficient_quota" };
  return parseObject(reply.body) === undefined ? { ...reported, message: plainText(reply.body) } : reported;
}

/** A page of a proxy is not a message for a caller. */
function plainText(body: string): string | undefined {
  const text = body.trim();
  return text.startsWith("<") ? undefined : textOf(text);
}
