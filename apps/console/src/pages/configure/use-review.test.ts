import { GatewayRequestError } from "@model-gateway/client";
import { expect, test } from "vitest";
import { faultAt } from "./use-review.js";

const fields = { "upstreams.a": "name", "upstreams.a.tls": "tls", "models.m.targets[0]": "model 0" };

function refusal(param: string | null): Error {
  const error = {
    message: "It is wrong.",
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

test("another failure belongs to no field", () => {
  expect(faultAt(new Error("gone"), fields)).toBeUndefined();
});
