import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { expect, test } from "vitest";
import { checkSpace, SpaceIds, spaceDigest } from "./space.js";

const options = { width: 4, inputType: undefined, extrasKey: undefined };

test("an id has the space, the width, the input type and a digest of the passed-through parameters", () => {
  const ids = new SpaceIds();
  const model = embeddingModel();
  const space = spaceDigest(model);

  expect(ids.idOf(model, options)).toBe(`${space}:4`);
  expect(ids.idOf(model, { ...options, inputType: "query" })).toBe(`${space}:4:query`);
  expect(ids.idOf(model, { ...options, outputDtype: "ubinary" })).toBe(`${space}:4-ubinary`);
  expect(ids.idOf(model, { ...options, inputType: "query", outputDtype: "int8" })).toBe(
    `${space}:4-int8:query`,
  );
  expect(ids.idOf(model, { ...options, extrasKey: "a" })).toMatch(/^[0-9a-f]{12}:4::[0-9a-f]{12}$/);
  expect(ids.idOf(model, { ...options, inputType: "a:b", extrasKey: "a" })).toMatch(/:4:a%3Ab:[0-9a-f]{12}$/);
});

test("another space, another revision and another length are another digest", () => {
  const models = [
    embeddingModel(),
    embeddingModel({ space: "other" }),
    embeddingModel({ revision: "2" }),
    embeddingModel({ unitVectors: false }),
  ];

  expect(new Set(models.map(spaceDigest)).size).toBe(4);
});

test("the digest does not depend on the id of the model or on its targets", () => {
  expect(spaceDigest(embeddingModel({ id: "alias" }, { upstream: "other" }))).toBe(
    spaceDigest(embeddingModel()),
  );
});

test.each([
  ["ffffffffffff:4:query", "it is another vector space, or another revision of the model"],
  ["000000000000:8:query", "the vectors have 4 values instead of 8"],
  ["000000000000:4-int8:query", "the output_dtype is 'float' instead of 'int8'"],
  ["000000000000:4:document", "the input type is 'query' instead of 'document'"],
  ["000000000000:4", "the input type is 'query' instead of absent"],
  ["000000000000:4:query:aaaaaaaaaaaa", "other parameters are passed through"],
  ["000000000000:4-float:query", "the id has parts that are unknown"],
  ["000000000000", "the vectors have 4 values instead of an unknown number"],
])("a request for the space %s gets the message that %s", (expected, reason) => {
  expect(() => checkSpace(expected, "000000000000:4:query")).toThrow(
    expect.objectContaining({
      code: "space_mismatch",
      param: "x-gateway-space",
      message: `The request asks for vectors of the space '${expected}', but they would be of '000000000000:4:query': ${reason}.`,
    }),
  );
});

test("a request that expects no space, or the right one, passes", () => {
  expect(() => checkSpace(undefined, "a:4")).not.toThrow();
  expect(() => checkSpace("a:4", "a:4")).not.toThrow();
});
