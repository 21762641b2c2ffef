import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { generateProfile, inpaintProfile } from "../dialects/stable-image.js";
import { parseObject, renameParam, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, requiredApiKey } from "../http/remote-settings.js";
import { createStabilityOperations, endpointOf } from "./images.js";

const sd3Profile: ImageProfile = {
  ...generateProfile,
  name: "stability-sd3",
  outputFormats: ["png", "jpeg"],
};

/** Stability AI's own API, v2beta. https://platform.stability.ai/docs/api-reference */
export const stabilityProvider = defineRemoteProvider({
  name: "stability",
  title: "Stability AI",
  settings: {
    baseUrl: baseUrlSetting(
      "The address of the service, up to and including /v2beta.",
      "https://api.stability.ai/v2beta",
    ),
    apiKey: requiredApiKey,
  },
  images: (model) => {
    if (model === "inpaint") return { profile: inpaintProfile, mask: "grey" };
    return { profile: model.startsWith("sd3") ? sd3Profile : generateProfile };
  },
  environment: {
    settings: { apiKey: { variables: ["STABILITY_API_KEY"], isRequired: true } },
  },
  readError: readStabilityError,
  open: (send) => ({
    operations: createStabilityOperations(send),
    unavailable: (model) =>
      endpointOf(model) === undefined
        ? {
            reason: "The provider has no such model.",
            detail: `No model "${model}": use core, ultra, inpaint, sd3 or a model of sd3 such as sd3.5-large.`,
          }
        : undefined,
  }),
});

/** Over 150 requests in ten seconds shut an account out for a minute. The reply has no retry-after. */
const shutOutMs = 60_000;

/** `{ "id", "name", "errors": ["field: reason"] }` */
export function readStabilityError({ status, body }: ErrorReply): ReportedError {
  const { name, errors } = parseObject(body) ?? {};
  const message = textOf(Array.isArray(errors) ? errors[0] : undefined);
  const field = /^(\w{1,64}): /.exec(message ?? "")?.[1];
  return {
    code: name === "content_moderation" && status < 500 ? "moderation_blocked" : undefined,
    message,
    param: renameParam(field, { aspect_ratio: "size" }),
    retryAfterMs: status === 429 ? shutOutMs : undefined,
    word: textOf(name),
  };
}
