import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type BundledDocument, requestDocument } from "./request-document.js";

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`generated/${name}`, import.meta.url), "utf8"));
const whole: BundledDocument = read("openapi.json");

test("the generated file is the part of the document that describes requests", () => {
  const part = read("requests.json");

  expect(part).toEqual(requestDocument(whole));
  expect(Object.keys(part.paths)).toEqual(Object.keys(whole.paths));
  expect(part.paths["/admin/v1/keys/{key}"].patch).toMatchObject({
    operationId: "changeKey",
    requestBody: { required: true },
    responses: {},
  });
});

test("every reference is replaced by its component", () => {
  const part = requestDocument(whole);

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

test("texts for people are left out, and a property that is named like one is not", () => {
  const schema = {
    description: "A thing.",
    properties: { description: { type: "string", example: "Red." }, properties: { summary: "None." } },
  };
  const post = {
    summary: "Create it.",
    requestBody: { $ref: "#/components/bodies/A" },
    responses: { 200: {} },
  };
  const part = requestDocument({ paths: { "/a": { post } }, components: { bodies: { A: { schema } } } });

  expect(part.paths).toEqual({
    "/a": {
      post: {
        requestBody: { schema: { properties: { description: { type: "string" }, properties: {} } } },
        responses: {},
      },
    },
  });
});

test("a property with a default of the operator is required of clients, and not by the gateway", () => {
  const schema = { required: ["model", "input"], "x-operator-default": ["model"], properties: {} };
  const post = { requestBody: { content: { "application/json": { schema } } }, responses: {} };

  const part = requestDocument({ paths: { "/a": { post } }, components: {} });

  expect(part.paths["/a"]?.post).toMatchObject({
    requestBody: { content: { "application/json": { schema: { required: ["input"] } } } },
  });
  expect(whole.components.schemas?.CreateEmbeddingRequest).toMatchObject({ required: ["model"] });
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
  const post = { requestBody: { $ref: "#/components/schemas/A" }, responses: {} };

  expect(() => requestDocument({ paths: { "/a": { post } }, components: { schemas } })).toThrow(message);
});

test("the document itself is not changed", () => {
  const before = structuredClone(whole);

  requestDocument(whole);

  expect(whole).toEqual(before);
});
