import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { type CollectedDocument, createCollection } from "./collection.js";
import type { Collection, Field } from "./collection-format.js";

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`generated/${name}`, import.meta.url), "utf8"));
const document: CollectedDocument = read("openapi.json");
const collection: Collection = read("postman_collection.json");
const items = collection.item.flatMap(({ item }) => item);
interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples?: object }>> };
}
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== "parameters")
    .map(([method, operation]) => ({ path, method, ...(operation as Described) })),
);
const byId = new Map(operations.map((operation) => [operation.operationId, operation]));

test("the generated file is the collection of the document, with the same ids each time", () => {
  expect(collection).toEqual(createCollection(document));
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
});

test("it has what the format requires", () => {
  const field = { type: "object", required: ["key", "value"] };
  const request = {
    type: "object",
    required: ["method", "url", "header"],
    properties: {
      method: { enum: ["GET", "POST", "PATCH", "PUT", "DELETE"] },
      header: { type: "array", items: field },
      url: { type: "object", required: ["raw", "host", "path"], properties: { variable: { items: field } } },
      auth: { type: "object", required: ["type"] },
      body: {
        oneOf: [
          { required: ["raw"], properties: { mode: { const: "raw" }, raw: { type: "string" } } },
          { required: ["formdata"], properties: { mode: { const: "formdata" } } },
        ],
      },
    },
  };
  const validate = new Ajv2020({ strict: false }).compile({
    required: ["info", "item"],
    properties: {
      info: {
        required: ["name", "schema"],
        properties: {
          schema: { const: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
        },
      },
      item: {
        items: {
          required: ["name", "item"],
          properties: {
            item: {
              items: {
                required: ["name", "request"],
                properties: { request },
              },
            },
          },
        },
      },
      variable: {
        items: { ...field, properties: { type: { enum: ["string", "boolean", "any", "number"] } } },
      },
    },
  });

  validate(collection);

  expect(validate.errors).toBeNull();
});

test("every operation is in the folder of its tag, with its method and its path", () => {
  const titles = new Map(document.tags.map((tag) => [tag.name, tag["x-displayName"] ?? tag.name]));
  const wanted = operations.map(({ operationId, tags: [tag = ""], method, path }) =>
    [operationId, titles.get(tag), method.toUpperCase(), path].join(" "),
  );

  const found = collection.item.flatMap(({ name, item }) =>
    item
      .filter(({ id }) => !id.includes("."))
      .map(({ id, request: { method, url } }) => {
        const path = url.path.map((part) => part.replace(/^:(.+)$/, "{$1}")).join("/");
        return [id, name, method, `/${path}`].join(" ");
      }),
  );

  expect(found.sort()).toEqual(wanted.sort());
});

test("a variable stands for each part of a path that the caller chooses", () => {
  const faults = items.filter(({ request: { url } }) => {
    const named = url.path.filter((part) => part.startsWith(":")).map((part) => part.slice(1));
    const given = url.variable.filter(({ value }) => value !== "").map(({ key }) => key);
    return named.join() !== given.join() || url.raw !== `{{baseUrl}}/${url.path.join("/")}`;
  });

  expect(faults).toEqual([]);
});

test("every example of a body is in a request, and the schema of its operation accepts each", () => {
  const validated = read("requests.json");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const bodies = items.filter(({ request }) => request.body !== undefined);

  const faults = bodies.flatMap((item) => {
    const { path = "", method = "" } = byId.get(item.id.split(".")[0] ?? "") ?? {};
    const { body } = item.request;
    const { content } = validated.paths[path][method].requestBody;
    const [type, value] =
      body?.mode === "raw"
        ? ["application/json", JSON.parse(body.raw)]
        : ["multipart/form-data", valuesOf(body?.formdata ?? [])];
    const validate = ajv.compile(content[type].schema);
    return validate(value) ? [] : [{ id: item.id, errors: validate.errors }];
  });

  const examples = operations.flatMap(({ requestBody }) =>
    // A form is one request, whether or not it has examples.
    Object.entries(requestBody?.content ?? {}).flatMap(([type, media]) =>
      type === "multipart/form-data" ? ["form"] : Object.keys(media.examples ?? {}),
    ),
  );
  expect(bodies.length).toBe(examples.length);
  expect(bodies.length).toBeGreaterThan(30);
  expect(faults).toEqual([]);
});

/** The fields that are sent; a file is an empty text, as is a file whose content a validator does not see. */
function valuesOf(formdata: readonly Field[]): Record<string, string> {
  const sent = formdata.filter(({ disabled }) => disabled !== true);
  return Object.fromEntries(sent.map(({ key, value = "" }) => [key, value]));
}

test("requests carry the key that their operation takes, from a variable that is empty", () => {
  const tokens = new Map(
    items.map(({ id, request: { auth } }) => [
      id,
      auth === undefined ? undefined : auth.type === "noauth" ? "none" : auth.bearer[0]?.value,
    ]),
  );

  expect(collection.auth).toMatchObject({ type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}" }] });
  expect(Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]))).toEqual({
    baseUrl: "http://127.0.0.1:8080",
    apiKey: "",
    adminKey: "",
    session: "",
  });
  expect([
    tokens.get("createEmbedding"),
    tokens.get("listFiles"),
    tokens.get("listKeys"),
    tokens.get("endSession"),
    tokens.get("checkReadiness"),
  ]).toEqual([undefined, undefined, "{{adminKey}}", "{{session}}", "none"]);
});

test("a form sends its required fields, with files that the user chooses", () => {
  const form = (id: string) => {
    const body = items.find((item) => item.id === id)?.request.body;
    return (body?.mode === "formdata" ? body.formdata : []).filter(({ disabled }) => disabled !== true);
  };

  expect(form("uploadFile")).toMatchObject([
    { key: "file", type: "file", src: null },
    { key: "purpose", type: "text", value: "batch" },
  ]);
  expect(form("createImageEdit").map(({ key, type }) => [key, type])).toEqual([
    ["model", "text"],
    ["prompt", "text"],
    ["image", "file"],
  ]);
});

test("what is optional is off until the user switches it on", () => {
  const optional = items.flatMap(({ request: { header, url } }) =>
    [...header, ...url.query].filter(({ key }) => key !== "content-type"),
  );

  expect(optional.length).toBeGreaterThan(100);
  expect(optional.filter(({ disabled }) => disabled !== true)).toEqual([]);
});
