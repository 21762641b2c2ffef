import { expect, test } from "vitest";
import { cacheKey } from "./cache/input-cache.js";
import { checkInputType } from "./input-type.js";
import { embeddingModel } from "./test/embedding-model.js";

const typed = embeddingModel({ inputTypes: new Set(["query", "document"]), inputType: "document" });

test("a request has the input type that it names, or else that of its model", () => {
  expect(checkInputType("query", typed)).toBe("query");
  expect(checkInputType(undefined, typed)).toBe("document");
  expect(checkInputType(undefined, embeddingModel())).toBeUndefined();
});

test("an input type that the model does not know is refused with those that it knows", () => {
  expect(() => checkInputType("song", typed)).toThrow(
    expect.objectContaining({
      code: "unsupported_value",
      param: "input_type",
      message:
        "Unsupported value: 'input_type' does not support 'song' with this model. Supported values are: 'query', 'document'.",
    }),
  );
});

test("a model without input types refuses the parameter by name", () => {
  expect(() => checkInputType("query", embeddingModel())).toThrow(
    expect.objectContaining({ code: "unsupported_parameter", param: "input_type" }),
  );
});

test("vectors of two input types are cached under different keys", () => {
  const scope = { space: "s", unitVectors: true, width: 4 };
  const keys = [undefined, "query", "document"].map((inputType) => cacheKey("text", { ...scope, inputType }));

  expect(new Set(keys).size).toBe(3);
  expect(keys[0]).toBe(cacheKey("text", scope));
});
