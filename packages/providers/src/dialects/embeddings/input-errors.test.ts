import { GatewayError } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import { asInputError } from "./input-errors.js";

const refusal = (message: string, param: string | null) =>
  new GatewayError("invalid_value", message, { param, upstreamStatus: 400, cause: "private" });

test.each([
  ["Invalid 'input[3]': too long.", "input[3]", "Invalid 'input[9]': too long."],
  ["The field input.3 is too long.", "input.3", "The field input[9] is too long."],
  ["The input is too long.", "input[3]", "The input[9] is too long."],
  ["Too long.", "input[3]", "Too long."],
])("the input in %j is renumbered", (message, param, renamed) => {
  const failure = asInputError(refusal(message, param), { inputCount: 5 }) as GatewayError;

  expect(failure).toMatchObject({ param: "input", inputIndex: 3, upstreamStatus: 400, cause: "private" });
  expect(failure.with({ param: "input[9]" }).message).toBe(renamed);
});

test("a refusal that names no input stays as it is", () => {
  const failure = refusal("Bad.", "dimensions");

  expect(asInputError(failure, { inputCount: 5 })).toBe(failure);
});
