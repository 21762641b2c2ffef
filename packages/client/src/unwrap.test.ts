import { expect, test } from "vitest";
import { GatewayRequestError } from "./gateway-request-error.js";
import { fail, succeed } from "./result.js";
import { unwrap } from "./unwrap.js";

test("a success gives its data", () => {
  expect(unwrap(succeed(new Response(), "pictures"))).toBe("pictures");
});

test("a failure is thrown with all that is known about it", () => {
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

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}
