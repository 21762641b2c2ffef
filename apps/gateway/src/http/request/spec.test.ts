import { expect, test } from "vitest";
import { readSpec, requestSpec } from "./spec.js";

const whole = readSpec();

test("what is left has the wanted paths, every parameter and body of theirs, and no answers", () => {
  const part = requestSpec(whole, (item) => "patch" in item);

  expect(Object.keys(part.paths)).toEqual(["/admin/v1/keys/{key}"]);
  expect(part.paths["/admin/v1/keys/{key}"]?.patch).toMatchObject({
    operationId: "changeKey",
    requestBody: { required: true },
    responses: {},
  });
});

test("what was referred to is in its place, and nothing refers to anything any more", () => {
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
  ["is not in the spec", { A: { $ref: "#/components/schemas/Gone" } }, "which is not in it"],
  ["leads to itself", { A: { items: { $ref: "#/components/schemas/A" } } }, "from within"],
  ["has something beside it", { A: { items: { $ref: "#/components/schemas/A", default: 1 } } }, "default"],
])("a reference that %s is told", (_name, schemas, message) => {
  const operation = { requestBody: { $ref: "#/components/schemas/A" }, responses: {} };
  const document = { ...whole, paths: { "/a": { post: operation } }, components: { schemas } };

  expect(() => requestSpec(document as unknown as typeof whole, () => true)).toThrow(message);
});

test("the spec itself stays as it is", () => {
  const before = structuredClone(whole);

  requestSpec(whole, () => true);

  expect(whole).toEqual(before);
});
