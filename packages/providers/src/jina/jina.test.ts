import { expect, test } from "vitest";
import { readJinaError } from "./jina.js";

test.each([
  [403, { code: "AUTHZ_INSUFFICIENT_BALANCE", message: "m" }, { code: "insufficient_quota" }],
  [403, { code: "AUTHZ_OTHER", message: "m" }, { word: "AUTHZ_OTHER" }],
  [400, { code: "INPUT_MODEL_NOT_FOUND", message: "m" }, { code: "upstream_model_missing" }],
  [
    400,
    { detail: "Input has 9000 tokens, which exceeds 8192." },
    { code: "context_length_exceeded", param: "input" },
  ],
  [400, { detail: "Each input list can contain at most 512 items.." }, { code: "upstream_rejected" }],
  [422, { error: { message: "The task is unknown." } }, { message: "The task is unknown." }],
  [422, { detail: [{ loc: ["body", "task"], msg: "Unknown." }] }, { param: "input_type" }],
])("status %d with %j", (status, body, expected) => {
  expect(readJinaError({ status, headers: {}, body: JSON.stringify(body) })).toMatchObject(expected);
});
