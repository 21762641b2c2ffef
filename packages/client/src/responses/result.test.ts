import { inspect } from "node:util";
import { expect, test } from "vitest";
import { fail, GatewayRequestError, succeed, unwrap } from "./result.js";

test("a success returns its data", () => {
  expect(unwrap(succeed(new Response(), "images"))).toBe("images");
});

test("a failure is thrown with all its fields", () => {
  const response = new Response(null, { status: 404, headers: { "x-request-id": "req_1" } });
  const error = {
    message: "No such model.",
    type: "invalid_request_error",
    param: null,
    code: "model_not_found",
  };

  const thrown = catchError(() => unwrap(fail(response, { ...error, retryAfterMs: 5 })));

  expect(thrown).toBeInstanceOf(GatewayRequestError);
  expect(thrown).toMatchObject({ ...error, retryAfterMs: 5, status: 404, requestId: "req_1", response });
  expect(String(thrown)).toBe("GatewayRequestError: No such model.");
});

test("a thrown failure prints in ten lines, without the response", () => {
  const response = new Response("secret page", { status: 404, headers: { "x-request-id": "req_1" } });
  const error = { type: "invalid_request_error", param: "model", code: "model_not_found" };

  const thrown = catchError(() => unwrap(fail(response, { ...error, message: "No such model." })));

  const lines = inspect(thrown).split("\n");
  expect(lines[0]).toBe("GatewayRequestError: No such model.");
  expect(lines.slice(1, 5).every((line) => line.startsWith("    at "))).toBe(true);
  expect(lines.slice(5)).toEqual([
    "  status: 404,",
    "  code: 'model_not_found',",
    "  param: 'model',",
    "  requestId: 'req_1'",
    "}",
  ]);
  expect(JSON.parse(JSON.stringify(thrown))).not.toHaveProperty("response");
});

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}
