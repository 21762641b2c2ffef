import { expect, test } from "vitest";
import { readErrorLines } from "./error-lines.js";

test("a refused line has its error in the response, and one that did not run beside it", () => {
  const refused = {
    custom_id: "row-2",
    response: {
      status_code: 400,
      request_id: "req_1",
      body: { error: { message: "Too small.", code: "invalid_value" } },
    },
    error: null,
  };
  const expired = {
    custom_id: "row-3",
    response: null,
    error: { message: "Not run.", code: "batch_expired" },
  };

  expect(readErrorLines([refused, expired].map((line) => JSON.stringify(line)))).toEqual([
    { customId: "row-2", code: "invalid_value", message: "Too small.", requestId: "req_1" },
    { customId: "row-3", code: "batch_expired", message: "Not run." },
  ]);
});

test("an error without a code has the status", () => {
  const line = { custom_id: "a", response: { status_code: 502, body: { error: { message: "Bad." } } } };

  expect(readErrorLines([JSON.stringify(line)])).toEqual([{ customId: "a", code: "502", message: "Bad." }]);
});

test("a line of another form is left out", () => {
  expect(readErrorLines(["", "not JSON", "null", '{"custom_id": "a"}', '{"error": {"message": 1}}'])).toEqual(
    [],
  );
});
