import { isObject } from "@model-gateway/runtime/json";
import { createResultLinks } from "../dialects/jobs/result-links.js";
import { parseObject, renameParam, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, linkSettings, requiredApiKey } from "../http/remote-settings.js";
import { createIdeogramOperations } from "./images.js";
import { traitsOf, variants } from "./models.js";

/** Ideogram's own API. https://developer.ideogram.ai */
export const ideogramProvider = defineRemoteProvider({
  name: "ideogram",
  title: "Ideogram",
  settings: {
    baseUrl: baseUrlSetting("The address of the service.", "https://api.ideogram.ai"),
    apiKey: requiredApiKey,
    ...linkSettings,
  },
  images: ({ facts }) => traitsOf(facts),
  variants,
  needs: { image: "variant" },
  environment: {
    settings: { apiKey: { variables: ["IDEOGRAM_API_KEY"], isRequired: true } },
  },
  authenticate: ({ apiKey }) => ["api-key", apiKey],
  readError: readIdeogramError,
  open: (send, { settings: { baseUrl } }) => ({
    operations: createIdeogramOperations(
      send,
      createResultLinks({ baseUrl, hosts: ["ideogram.ai", "*.ideogram.ai"] }),
    ),
  }),
});

const callersNames = {
  resolution: "size",
  num_images: "n",
  rendering_speed: "quality",
  text_prompt: "prompt",
};

/** `{ "error": "text" }`, `{ "code", "message" }`, or `{ "detail" }` with a text or a list. */
export function readIdeogramError({ status, body }: ErrorReply): ReportedError {
  const { error, message, detail, code, param } = parseObject(body) ?? {};
  const [first] = Array.isArray(detail) ? (detail as readonly unknown[]) : [];
  const text =
    textOf(error) ?? textOf(message) ?? textOf(detail) ?? textOf(isObject(first) ? first.msg : undefined);
  // Its OpenAPI document has 422 for a prompt that failed the safety check. A faulty field has its own form.
  const isModerated = status === 422 && first === undefined && param === undefined;
  return {
    code: isModerated ? "moderation_blocked" : undefined,
    message: text,
    param: renameParam(textOf(param), callersNames),
    word: textOf(code),
  };
}
