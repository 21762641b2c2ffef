import { GatewayError } from "@model-gateway/domain/errors";
import type { Input } from "@model-gateway/domain/requests";
import { expect, test } from "vitest";
import { asLocatedError } from "./locate-input.js";

const tooLong = () => new GatewayError("context_length_exceeded", "Too long.", { param: "input" });

test.each([0, 1, 2, 5, 8])("the input %d of nine is found in four calls at most", async (bad) => {
  const inputs = Array.from({ length: 9 }, (_, index) => (index === bad ? "bad" : `${index}`));
  const sent: (readonly Input[])[] = [];

  const failure = await asLocatedError(tooLong(), inputs, async (some) => {
    sent.push(some);
    if (some.includes("bad")) throw tooLong();
  });

  expect(failure).toMatchObject({ code: "context_length_exceeded", param: "input", inputIndex: bad });
  expect(sent.length).toBeLessThanOrEqual(4);
});

test("one input needs no call, and another failure none either", async () => {
  const other = new GatewayError("upstream_error", "Failed.");
  const send = () => Promise.reject(new Error("must not be called"));

  expect(await asLocatedError(tooLong(), ["a"], send)).toMatchObject({ inputIndex: 0 });
  expect(await asLocatedError(other, ["a", "b"], send)).toBe(other);
});

test("the search ends with the upstream's first other failure", async () => {
  const send = () => Promise.reject(new GatewayError("upstream_unavailable", "Busy."));

  expect(await asLocatedError(tooLong(), ["a", "b"], send)).toMatchObject({
    code: "context_length_exceeded",
    inputIndex: undefined,
  });
});
