import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ClientDocument, clientMethods } from "./client-methods.js";

const document: ClientDocument = JSON.parse(
  readFileSync(new URL("generated/openapi.json", import.meta.url), "utf8"),
);

test("an operation has a method for each form of its response, in the order of the document", () => {
  const names = (operation: string) =>
    [...clientMethods(document)].filter(([, method]) => method.operation === operation).map(([name]) => name);

  expect(names("createImage")).toEqual(["createImage", "createImageStream", "createImageJob"]);
  expect(names("listKeys")).toEqual(["listKeys", "iterateKeys", "listKeysTable"]);
  expect(names("streamEvents")).toEqual(["streamEvents"]);
});

test("an operation in the form of another API has no method", () => {
  const tags = document.tags.filter((tag) => tag["x-other-api"]).map(({ name }) => name);
  const methods = [...clientMethods(document).values()];

  expect(tags).toContain("Cohere-clients");
  expect(methods.filter(({ tag }) => tags.includes(tag))).toEqual([]);
});

test("the keys stand in the order of the operation, and a session is either key", () => {
  const methods = clientMethods(document);
  const shown = Object.keys(keys).map((name) => [name, methods.get(name)?.keys]);

  expect(Object.fromEntries(shown)).toEqual(keys);
});

const keys = {
  listModels: ["apiKey"],
  listKeys: ["adminKey"],
  listFiles: ["apiKey", "adminKey"],
  createSession: ["adminKey", "apiKey"],
  endSession: ["adminKey", "apiKey"],
  checkHealth: [],
};

test("a parameter that is repeated is refused, because the client sends a list with commas", () => {
  const parameter = { name: "tag", in: "query", schema: { type: "array" } };
  const operation = {
    operationId: "listTags",
    summary: "",
    description: "",
    parameters: [parameter],
    responses: {},
  };
  const given = { ...document, paths: { "/v1/tags": { get: operation } } };

  expect(() => clientMethods(given)).toThrow("listTags: 'tag' is repeated");
});
