import { type ErrorCode, errorTable, isErrorCode } from "@model-gateway/domain/errors";
import { meteredOperation } from "@model-gateway/domain/operations";
import { errorHelp, errorRemedies } from "@model-gateway/spec/error-help";
import { expect, test } from "vitest";
import { documentedOperations, readDocument, type SpecResponse } from "../gateway/documented.js";

/** Ollama's old operation has one text and no width, and the model that it shows is not in the path. */
const neverThere = new Set([
  ...["integer_above_max_value", "integer_below_min_value", "empty_array"].map(
    (code) => `createOllamaEmbeddingLegacy ${code}`,
  ),
  // Ollama's paths take no images.
  ...[
    "unsupported_modality",
    "unsupported_file_mimetype",
    "invalid_image_url",
    "invalid_image_file",
    "invalid_media_file",
  ].flatMap((code) => [`createOllamaEmbedding ${code}`, `createOllamaEmbeddingLegacy ${code}`]),
  "retrieveOllamaModel invalid_url",
]);

/** A request that becomes a job fails before it is stored. Failures of its run are in the job. */
const ofRuns = /^(upstream_|moderation_blocked$|content_policy_violation$|model_unavailable$)/;

const rows = Object.entries(errorTable).map(([code, { status }]) => ({ code: code as ErrorCode, status }));

test.each(rows)("the caller may retry $code if the request can succeed later", ({ code, status }) => {
  const isPassing = status >= 500 || code === "rate_limit_exceeded" || code === "request_timeout";

  expect(errorTable[code].callerRetry !== "never").toBe(isPassing);
});

test("every code has its own meaning and remedy, in sentences", () => {
  const texts = Object.values(errorHelp).map(({ meaning }) => meaning);
  const unfinished = [...texts, ...Object.values(errorRemedies)].filter((text) => !/^[A-Z`].*\.$/.test(text));

  expect(new Set(texts).size).toBe(texts.length);
  expect(unfinished).toEqual([]);
});

test("the spec lists every code, and no other", () => {
  const { ErrorCode } = readDocument().components.schemas;

  expect(ErrorCode?.enum).toEqual(Object.keys(errorTable));
});

test.each(documentedOperations())("$id lists a code for each of its errors, and no other", (operation) => {
  const codes = [...operation.errorCodes];
  const statuses = new Set(codes.map((code) => (isErrorCode(code) ? errorTable[code].status : code)));
  // The 503 of a probe is a report on the gateway.
  const failing = [...operation.responses]
    .filter(([status, { content }]) => status >= 400 && !isReadiness(content))
    .map(([status]) => status);

  expect(statuses, "x-error-codes in spec/ and the responses of the operation").toEqual(new Set(failing));
});

test("a code is listed where its status is; an operation's own codes are for its 400, as its types say", () => {
  const misplaced = documentedOperations().flatMap(({ id, ownCodes, responses }) =>
    [...responses, [400, { "x-error-codes": ownCodes }] as const].flatMap(([status, response]) =>
      (response["x-error-codes"] ?? [])
        .filter((code) => isErrorCode(code) && errorTable[code].status !== status)
        .map((code) => `${id} ${status} ${code}`),
    ),
  );

  expect(misplaced).toEqual([]);
});

test("an operation does not repeat a code of its responses", () => {
  const repeated = documentedOperations().flatMap(({ id, ownCodes, responses }) => {
    const shared = [...responses.values()].flatMap((response) => response["x-error-codes"] ?? []);
    return ownCodes.filter((code) => shared.includes(code)).map((code) => `${id} ${code}`);
  });

  expect(repeated).toEqual([]);
});

test("every code belongs to some operation, except for paths that do not exist", () => {
  const listed = new Set(documentedOperations().flatMap(({ errorCodes }) => [...errorCodes]));

  expect(Object.keys(errorTable).filter((code) => !listed.has(code))).toEqual(["unknown_url"]);
});

test("an operation at another API's path fails as the one that it aliases", () => {
  const operations = documentedOperations();
  const lacking = operations.flatMap(({ id, errorCodes }) => {
    const original = operations.find((one) => one.id === meteredOperation(id));
    return [...(original?.errorCodes ?? [])]
      .filter((code) => !errorCodes.has(code) && !neverThere.has(`${id} ${code}`))
      .filter((code) => !(id.startsWith("createAsync") && ofRuns.test(code)))
      .map((code) => `${id} ${code}`);
  });

  expect(lacking).toEqual([]);
});

function isReadiness(content: SpecResponse["content"]): boolean {
  return JSON.stringify(content ?? {}).includes("schemas/Readiness");
}
