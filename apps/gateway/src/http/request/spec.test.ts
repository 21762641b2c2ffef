import { expect, test } from "vitest";
import { readSpec, requestSpec } from "./spec.js";

const whole = readSpec();

test("a part of the spec has the wanted paths with their parameters and bodies, and no responses", () => {
  const part = requestSpec(whole, (item) => "patch" in item);

  expect(Object.keys(part.paths)).toEqual(["/admin/v1/keys/{key}"]);
  expect(part.paths["/admin/v1/keys/{key}"]?.patch).toMatchObject({
    operationId: "changeKey",
    requestBody: { required: true },
    responses: {},
  });
});

test("every reference is replaced by its component", () => {
  const part = requestSpec(whole, () => true);

  const { post } = part.paths["/v1/embeddings"] as {
    post: { requestBody: { content: Record<string, { schema: unknown }> } };
  };

  expect(post.requestBody.content["application/json"]?.schema).toMatchObject({
    type: "object",
    properties: { input: {}, model: {} },
  });
  expect(JSON.stringify(part)).not.toContain('"$ref"');
  expect(part.components).toEqual({ schemas: {} });
});

test.each([
  ["has no component", { A: { $ref: "#/components/schemas/Gone" } }, "which does not exist"],
  ["leads back to itself", { A: { items: { $ref: "#/components/schemas/A" } } }, "from within"],
  [
    "has another keyword beside it",
    { A: { items: { $ref: "#/components/schemas/A", default: 1 } } },
    "default",
  ],
])("a reference that %s is an error", (_name, schemas, message) => {
  const operation = { requestBody: { $ref: "#/components/schemas/A" }, responses: {} };
  const document = { ...whole, paths: { "/a": { post: operation } }, components: { schemas } };

  expect(() => requestSpec(document as unknown as typeof whole, () => true)).toThrow(message);
});

test("the spec itself is not changed", () => {
  const before = structuredClone(whole);

  requestSpec(whole, () => true);

  expect(whole).toEqual(before);
});
