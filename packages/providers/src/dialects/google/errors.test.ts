import { expect, test } from "vitest";
import { readGoogleError } from "./errors.js";

const violation = (field: string) => [
  { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field }] },
];

test.each([
  [400, { status: "INVALID_ARGUMENT", details: violation("requests[3].content") }, { param: "input[3]" }],
  [
    400,
    { status: "INVALID_ARGUMENT", details: violation("requests[0].output_dimensionality") },
    { param: "dimensions" },
  ],
  [
    400,
    { status: "INVALID_ARGUMENT", message: "Invalid value at 'instances[0].task_type' (x)" },
    { param: "input_type" },
  ],
  [
    400,
    { status: "INVALID_ARGUMENT", details: violation("generation_config.image_config.aspect_ratio") },
    { param: "size" },
  ],
  [
    400,
    { message: "The input token count is 2305 but the model supports up to 2048." },
    { code: "context_length_exceeded", param: "input" },
  ],
  [
    400,
    { message: "The input token count (2100) exceeds the maximum number of tokens allowed (2048)." },
    { code: "context_length_exceeded", param: "input" },
  ],
  [400, { details: [{ reason: "API_KEY_INVALID" }] }, { code: "upstream_auth_error" }],
  [400, { status: "FAILED_PRECONDITION" }, { code: "upstream_auth_error" }],
  [429, { details: [{ retryDelay: "12.5s" }] }, { retryAfterMs: 12_500 }],
  [429, { details: [{ retryDelay: "soon" }] }, { word: "X" }],
])("status %d with %j", (status, error, expected) => {
  const body = JSON.stringify({ error: { status: "X", ...error } });

  expect(readGoogleError({ status, headers: {}, body })).toMatchObject(expected);
});

test("other forms than Google's are read as nothing", () => {
  expect(readGoogleError({ status: 400, headers: {}, body: "<html>" })).toEqual({});
});
