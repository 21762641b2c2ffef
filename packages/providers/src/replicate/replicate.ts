import { isObject } from "@model-gateway/runtime/json";
import { defineHostedProvider } from "../dialects/jobs/hosted-provider.js";
import { callersNames } from "../dialects/jobs/model-input.js";
import { bearer } from "../http/credentials/authentication.js";
import { parseObject, renameParam, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { createReplicateOperations, isVersion } from "./images.js";

/** Replicate's predictions: a job for each call, with fields that depend on the model. https://replicate.com/docs */
export const replicateProvider = defineHostedProvider({
  name: "replicate",
  title: "Replicate",
  baseUrl: "https://api.replicate.com/v1",
  baseUrlMeaning: "The address of the service, up to and including /v1.",
  resultHosts: ["replicate.delivery", "*.replicate.delivery"],
  environment: {
    settings: { apiKey: { variables: ["REPLICATE_API_TOKEN"], isRequired: true } },
  },
  authentication: bearer,
  readError: readReplicateError,
  createOperations: createReplicateOperations,
  isModelName: (model) => isVersion(model) || /^[\w.-]+\/[\w.-]+(:[\w-]+)?$/.test(model),
  nameForms: "owner/name, owner/name:version or a version",
});

/** `{ "title", "detail", "status", "invalid_fields" }`. When a throttled call may be repeated is part of the text. */
export function readReplicateError({ status, body }: ErrorReply): ReportedError {
  const { title, detail, invalid_fields: invalid } = parseObject(body) ?? {};
  const [first] = Array.isArray(invalid) ? invalid : [];
  const { field, description } = isObject(first) ? first : {};
  const [, seconds] = /available in (\d{1,5}) seconds?/.exec(String(detail)) ?? [];
  return {
    message: textOf(description) ?? textOf(detail) ?? textOf(title),
    param: renameParam(textOf(field)?.replace(/^input\./, "") || undefined, callersNames),
    retryAfterMs: status === 429 && seconds !== undefined ? Number(seconds) * 1000 : undefined,
    word: textOf(title)?.replaceAll(/\W+/g, "_"),
  };
}
