import { isObject } from "@model-gateway/runtime/json";
import { readFastApiDetail } from "../dialects/fast-api.js";
import { defineHostedProvider } from "../dialects/jobs/hosted-provider.js";
import { callersNames } from "../dialects/jobs/model-input.js";
import { parseObject, renameParam, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { createFalOperations } from "./images.js";

/** The queue of fal: a job for each call, with fields that depend on the model. https://docs.fal.ai */
export const falProvider = defineHostedProvider({
  name: "fal",
  title: "fal",
  baseUrl: "https://queue.fal.run",
  baseUrlMeaning: "The address of the queue.",
  resultHosts: ["fal.media", "*.fal.media"],
  environment: {
    settings: { apiKey: { variables: ["FAL_KEY"], isRequired: true } },
  },
  authentication: (apiKey) => ["authorization", `Key ${apiKey}`],
  readError: readFalError,
  createOperations: createFalOperations,
  isModelName: (model) => /^[\w.-]+(\/[\w.-]+)+$/.test(model) && !/(^|\/)\.+(\/|$)/.test(model),
  nameForms: "owner/app, or owner/app/variant",
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
