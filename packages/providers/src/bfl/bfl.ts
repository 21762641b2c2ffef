import { readFastApiDetail } from "../dialects/fast-api.js";
import { createResultLinks } from "../dialects/jobs/result-links.js";
import { parseObject } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, linkSettings, requiredApiKey } from "../http/remote-settings.js";
import { createBflOperations } from "./images.js";
import { traitsOf, variants } from "./models.js";

/** Each region has its own host, and the results have others. */
const ownHosts = "*.bfl.ai";

/** Black Forest Labs' own API: a job for each image. https://docs.bfl.ai */
export const bflProvider = defineRemoteProvider({
  name: "bfl",
  title: "Black Forest Labs",
  settings: {
    baseUrl: baseUrlSetting("The address of the service, up to and including /v1.", "https://api.bfl.ai/v1"),
    apiKey: requiredApiKey,
    ...linkSettings,
  },
  images: ({ facts }) => traitsOf(facts),
  variants,
  needs: { image: "variant" },
  environment: {
    settings: { apiKey: { variables: ["BFL_API_KEY"], isRequired: true } },
  },
  authenticate: ({ apiKey }) => ["x-key", apiKey],
  readError: readBflError,
  otherHosts: [{ host: ownHosts, takesCredentials: true }],
  open: (send, { settings: { baseUrl } }) => ({
    operations: createBflOperations(send, createResultLinks({ baseUrl, hosts: [ownHosts] })),
  }),
});

/** The service limits the jobs that run at once, and does not say when one will end. */
const throttledMs = 3000;

const callersNames = {
  width: "size",
  height: "size",
  aspect_ratio: "size",
  resolution: "size",
  input_image: "image",
  images: "image",
  safety_tolerance: "moderation",
};

/** FastAPI's `{ "detail" }`: a text, or a list with the path of a field. A job that is gone has a `status` instead. */
export function readBflError({ status, body }: ErrorReply): ReportedError {
  const { detail, status: state } = parseObject(body) ?? {};
  // Not a model that is missing, which this status means elsewhere.
  if (state === "Task not found") return { code: "upstream_error", word: "task_not_found" };
  return {
    ...readFastApiDetail(detail, callersNames),
    retryAfterMs: status === 429 ? throttledMs : undefined,
  };
}
