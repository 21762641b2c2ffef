import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { expect, test } from "vitest";
import { cacheKey } from "./cache/input-cache.js";
import { checkInputType } from "./input-type.js";

const typed = embeddingModel({ inputTypes: new Set(["query", "document"]), inputType: "document" });

test("a request has the input type that it names, or else that of its model", () => {
  expect(checkInputType("query", typed)).toBe("query");
  expect(checkInputType(undefined, typed)).toBe("document");
  expect(checkInputType(undefined, embeddingModel())).toBeUndefined();
  expect(checkInputType("song", embeddingModel({ inputTypes: "any" }))).toBe("song");
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

test("a model without input types has one vector for queries and documents, and refuses other types by name", () => {
  const refusal = expect.objectContaining({ code: "unsupported_parameter", param: "input_type" });

  expect(["query", "document"].map((type) => checkInputType(type, embeddingModel()))).toEqual([
    undefined,
    undefined,
  ]);
  expect(() => checkInputType("classification", embeddingModel())).toThrow(refusal);
});

test("a type that only some targets know would change a vector, and is refused", () => {
  const model = embeddingModel();
  const [target] = model.targets;
  const mixed = {
    ...model,
    targets: [target, { ...target, inputTypes: new Map([["query", "q"]]) }] as const,
  };

  expect(() => checkInputType("query", mixed)).toThrow(
    expect.objectContaining({ code: "unsupported_parameter", param: "input_type" }),
  );
});

test("vectors of two input types are cached under different keys", () => {
  const scope = { space: "s", unitVectors: true, width: 4 };
  const keys = [undefined, "query", "document"].map((inputType) => cacheKey("text", { ...scope, inputType }));

  expect(new Set(keys).size).toBe(3);
  expect(keys[0]).toBe(cacheKey("text", scope));
});
