import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import { namingParameters, renamingRoot } from "./caller-names.js";

const names = renamingRoot({ input: "texts", dimensions: "output_dimension" });

/** The failure that a request in the other form ends with. */
function renamed(failure: unknown): unknown {
  try {
    return namingParameters(names)(failure);
  } catch (thrown) {
    return thrown;
  }
}

test.each([
  ["input", "texts"],
  ["input[3]", "texts[3]"],
  ["input[3].content[1].image_url.url", "texts[3].content[1].image_url.url"],
  ["dimensions", "output_dimension"],
  ["inputs", "inputs"],
  ["constructor", "constructor"],
  ["x-gateway-space", "x-gateway-space"],
])("%s is %s for the caller", (param, expected) => {
  expect(names(param)).toBe(expected);
});

test("the message of an error has the caller's name, and everything else stays", () => {
  const failure = errorOf("context_length_exceeded", { param: "input[2]", maxTokens: 512 }, { attempts: 2 });

  expect(renamed(failure)).toMatchObject({
    code: "context_length_exceeded",
    param: "texts[2]",
    message: failure.message.replace("input[2]", "texts[2]"),
    attempts: 2,
  });
});

test("an error without a parameter, and any other failure, is the same", () => {
  const unnamed = new GatewayError("internal_error", "A message.");
  const other = new TypeError("input");

  expect([renamed(unnamed), renamed(other)]).toEqual([unnamed, other]);
});
