import { imageTraits } from "../dialects/images/image-traits.js";
import { generateProfile, inpaintProfile } from "../dialects/stable-image.js";
import { parseObject, renameParam, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, requiredApiKey } from "../http/remote-settings.js";
import { createStabilityOperations, variants } from "./images.js";

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
  images: ({ facts }) =>
    facts?.variant === "inpaint"
      ? imageTraits(facts, { profile: inpaintProfile, mask: "grey" })
      : imageTraits(facts, { profile: generateProfile }),
  variants,
  needs: { image: "variant" },
  environment: {
    settings: { apiKey: { variables: ["STABILITY_API_KEY"], isRequired: true } },
  },
  readError: readStabilityError,
  open: (send) => ({
    operations: createStabilityOperations(send),
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
