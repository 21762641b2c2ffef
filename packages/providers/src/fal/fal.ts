import { isObject } from "@model-gateway/runtime/json";
import { readFastApiDetail } from "../dialects/fast-api.js";
import type { KnownModel } from "../dialects/jobs/field-map.js";
import { defineHostedProvider } from "../dialects/jobs/hosted-provider.js";
import { callersNames } from "../dialects/jobs/model-input.js";
import { parseObject, renameParam, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { createFalOperations } from "./images.js";

const common = {
  n: "num_images",
  maxN: 4,
  seed: "seed",
  outputFormat: "output_format",
  outputFormats: { png: "png", jpeg: "jpeg" },
} as const;
const edits = { ...common, image: "image_url", onlyEdits: true } as const;

const knownModels: readonly KnownModel[] = [
  [/^fal-ai\/flux\/(dev|schnell)$|^fal-ai\/flux-pro(\/new|\/v1\.1)?$/, { ...common, size: "image_size" }],
  [/^fal-ai\/flux-pro\/v1\.1-ultra$/, { ...common, size: "aspect_ratio" }],
  [/^fal-ai\/flux-pro\/kontext(\/max)?$/, { ...edits, size: "aspect_ratio" }],
  [/^fal-ai\/flux-pro\/v1\/fill$/, { ...edits, mask: "mask_url" }],
];

/** The queue of fal: a job for each call, with fields that depend on the model. https://docs.fal.ai */
export const falProvider = defineHostedProvider({
  name: "fal",
  title: "fal",
  baseUrl: "https://queue.fal.run",
  baseUrlMeaning: "The address of the queue.",
  resultHosts: ["fal.media", "*.fal.media"],
  knownModels,
  environment: {
    settings: { apiKey: { variables: ["FAL_KEY"], isRequired: true } },
  },
  authentication: (apiKey) => ["authorization", `Key ${apiKey}`],
  readError: readFalError,
  createOperations: createFalOperations,
  isModelName: (model) => /^[\w.-]+(\/[\w.-]+)+$/.test(model) && !/(^|\/)\.+(\/|$)/.test(model),
  nameForms: "one such as fal-ai/flux/dev",
});

/** FastAPI's `{ "detail" }`. The type in its first error, or in a header, is the cause. */
export function readFalError({ status, headers, body }: ErrorReply): ReportedError {
  const { detail } = parseObject(body) ?? {};
  const { message, param } = readFastApiDetail(detail);
  const first: unknown = Array.isArray(detail) ? detail[0] : undefined;
  const type = isObject(first) && typeof first.type === "string" ? first.type : headers["x-fal-error-type"];
  return {
    code: type === "content_policy_violation" && status < 500 ? type : undefined,
    message,
    // The caller has no fields within a field.
    param: renameParam(param?.split(".")[0], callersNames),
    word: textOf(type),
  };
}
