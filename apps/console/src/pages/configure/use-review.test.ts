import { GatewayRequestError } from "@model-gateway/client";
import { expect, test } from "vitest";
import { faultAt } from "./use-review.js";

const fields = { "upstreams.a": "name", "upstreams.a.tls": "tls", "models.m.targets[0]": "model 0" };

function refusal(param: string | null, message = "It is wrong."): Error {
  const error = {
    message,
    type: "invalid_request_error",
    param,
    code: "invalid_value",
  } as const;
  return new GatewayRequestError({ error, status: 400, requestId: null, response: new Response() } as never);
}

test.each([
  ["upstreams.a.tls.ca", { tls: "It is wrong." }],
  ["upstreams.a", { name: "It is wrong." }],
  ["models.m.targets[0].upstream", { "model 0": "It is wrong." }],
  ["upstreams.ab", undefined],
  [null, undefined],
])("a refusal of %s belongs to the field with the longest path", (param, faults) => {
  expect(faultAt(refusal(param), fields)).toEqual(faults);
});

test("the path in front of a message is left out at its field", () => {
  const error = refusal("upstreams.a.tls", "Invalid 'upstreams.a.tls': must be an object.");

  expect(faultAt(error, fields)).toEqual({ tls: "Must be an object." });
});

test("another failure belongs to no field", () => {
  expect(faultAt(new Error("gone"), fields)).toBeUndefined();
});
