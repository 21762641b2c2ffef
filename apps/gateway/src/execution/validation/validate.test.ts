import url from "node:url";
import { GatewayError } from "@model-gateway/domain/errors";
import type { OperationId } from "@model-gateway/domain/operations";
import { expect, test, vi } from "vitest";
import { operationsOf, readSpec } from "./spec.js";
import { type Subject, Validator } from "./validate.js";

const spec = readSpec();
const operations = operationsOf(spec);
const validator = new Validator(spec);

/** Validates a request, and returns the error that its caller gets. */
async function refusalOf(id: OperationId, request: Partial<Subject>): Promise<object | undefined> {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`The spec has no operation ${id}.`);
  const headers = { "content-type": "application/json", ...request.headers };
  const subject = { url: operation.path, query: {}, params: {}, body: undefined, ...request, headers };
  try {
    await validator.validate(subject, operation);
    return undefined;
  } catch (failure) {
    if (!(failure instanceof GatewayError)) throw failure;
    const { code, param, message } = failure;
    return { code, param, message };
  }
}

// A start compiles only one of them.
test.each(operations)("the schemas of $id can be compiled", async (operation) => {
  await expect(validator.warmUp(operation)).resolves.toBeUndefined();
});

const edit = { model: "m", prompt: "a fox", images: [{ image_url: "data:image/png;base64,iVBORw0KGgo=" }] };

test("a valid request is accepted", async () => {
  expect(await refusalOf("createImageEdit", { body: edit })).toBeUndefined();
});

// Node 24 warns of it, once the validator is part of a program.
test("a request is accepted without `url.parse`", async () => {
  const parse = vi.spyOn(url, "parse");

  expect(
    await refusalOf("listKeys", { url: "/admin/v1/keys?limit=1", query: { limit: "1" } }),
  ).toBeUndefined();

  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test.each([
  ["x-gateway-timeout-ms", "soon", "'soon'. Expected a whole number of at least 1."],
  ["x-gateway-timeout-ms", "0", "'0'. Expected a whole number of at least 1."],
  [
    "x-gateway-timeout-ms",
    `${"9".repeat(100)}x`,
    `'${"9".repeat(64)}...'. Expected a whole number of at least 1.`,
  ],
  ["x-gateway-partial", "yes", "'yes'. Expected 'allow'."],
  ["idempotency-key", "", "Expected text of 1 to 255 characters."],
  ["idempotency-key", "k".repeat(256), "Expected text of 1 to 255 characters."],
])("a fault in the header %s names it and the allowed values: %s", async (name, value, reason) => {
  expect(await refusalOf("createImageEdit", { body: edit, headers: { [name]: value } })).toEqual({
    code: "invalid_value",
    param: name,
    message: `Invalid header '${name}': ${reason}`,
  });
});

const notNumbers = ["Infinity", "-Infinity", "1e400", "1e1", "0x10", " 5", "5 ", "5.", "+5", "05", "", "NaN"];
const numericQueries = operations.flatMap(({ id, query }) =>
  [...query].flatMap(([name, { type }]) =>
    type === "integer" || type === "number" ? [[id, name] as const] : [],
  ),
);

test.each(numericQueries)("in %s, only the digits of a number are one in %s", async (id, name) => {
  for (const text of notNumbers)
    expect(await refusalOf(id, { url: `/any?${name}=${text}`, query: { [name]: text } })).toMatchObject({
      code: "invalid_type",
      param: name,
    });
});

test.each(notNumbers.filter((text) => text !== ""))("the header of a time-out is not '%s'", async (text) => {
  const headers = { "x-gateway-timeout-ms": text };

  expect(await refusalOf("createImageEdit", { body: edit, headers })).toMatchObject({
    code: "invalid_value",
    param: "x-gateway-timeout-ms",
  });
});

test("a number has decimals where the spec has them, and a sign", async () => {
  const url = "/admin/v1/requests?min_duration_ms=0.5";

  expect(await refusalOf("listRequests", { url, query: { min_duration_ms: "0.5" } })).toBeUndefined();
  expect(
    await refusalOf("listRequests", { url: "/admin/v1/requests?limit=-1", query: { limit: "-1" } }),
  ).toMatchObject({ code: "integer_below_min_value", param: "limit" });
});

test("a value in a query has any character that is not a delimiter, and a plus is a space", async () => {
  const search = "a team/b:c+d?";

  expect(
    await refusalOf("listKeys", { url: "/admin/v1/keys?search=a+team/b:c%2Bd?", query: { search } }),
  ).toBeUndefined();
});

test("a fault in the path names the parameter", async () => {
  expect(await refusalOf("retrieveModel", { params: { model: "m".repeat(300) } })).toEqual({
    code: "string_above_max_length",
    param: "model",
    message: "Invalid 'model': it is longer than 256 characters.",
  });
});

test("an invalid size is explained without a regular expression", async () => {
  expect(await refusalOf("createImageEdit", { body: { ...edit, size: "1024*1024" } })).toEqual({
    code: "invalid_value",
    param: "size",
    message:
      "Invalid value for 'size': '1024*1024'. Expected WIDTHxHEIGHT with sides of 10 to 9999 pixels, for example 1024x1024, or auto.",
  });
});

test.each<[OperationId, Partial<Subject>, string, string]>([
  ["createOllamaEmbedding", { body: { model: "m", input: "a", modle: "b" } }, "modle", "model"],
  [
    "createKey",
    { body: { name: "a", limits: { request_per_minute: 1 } } },
    "limits.request_per_minute",
    "requests_per_minute",
  ],
  ["listKeys", { url: "/admin/v1/keys?limt=1", query: { limt: "1" } }, "limt", "limit"],
])("in %s, the name that was most likely meant is named", async (id, request, param, meant) => {
  expect(await refusalOf(id, request)).toEqual({
    code: "unknown_parameter",
    param,
    message: `Unknown parameter: '${param}'. Did you mean '${meant}'?`,
  });
});

test("a misspelt name of a required parameter is named", async () => {
  expect(await refusalOf("createImage", { body: { model: "m", promts: "a" } })).toEqual({
    code: "missing_required_parameter",
    param: "prompt",
    message: "Missing required parameter: 'prompt'. 'promts' is unknown. Did you mean 'prompt'?",
  });
});

test("a name that is like no other is only called unknown", async () => {
  expect(await refusalOf("createKey", { body: { name: "a", colour: 1 } })).toMatchObject({
    message: "Unknown parameter: 'colour'.",
  });
});

test.each([
  ["retrieveUsage", "group_by[a]"],
  ["retrieveUsage", "group_by[]"],
  ["retrieveUsage", "from[a][b]"],
  ["checkReadiness", "verbose[a]"],
] as const)("in %s, the parameter %s with its brackets is refused by name", async (id, name) => {
  const param = name.slice(0, name.indexOf("["));

  expect(await refusalOf(id, { url: `/any?${name}=key`, query: { [name]: "key" } })).toEqual({
    code: "invalid_type",
    param,
    message: `Invalid '${param}': send it without brackets.`,
  });
});

test("a change without a field is refused", async () => {
  expect(await refusalOf("changeKey", { params: { key: "key_1" }, body: {} })).toEqual({
    code: "missing_required_parameter",
    param: null,
    message: "The request body is empty: send at least one field to change.",
  });
});

test.each(operations)(
  "$id refuses an unknown query parameter by name, and takes Azure's",
  async ({ id, path, bodies }) => {
    const [type = ""] = bodies.keys();
    const ask = (name: string) =>
      refusalOf(id, {
        url: `${path}?${name}=1`,
        query: { [name]: "1" },
        headers: { "content-type": type },
        body: {},
      });

    const [unknown, version] = [await ask("colour"), await ask("api-version")];

    expect(unknown).toMatchObject({ code: "unknown_parameter", param: "colour" });
    expect(version).not.toMatchObject({ param: "api-version" });
  },
);

test("a query parameter that is sent twice is refused", async () => {
  const query = { limit: ["1", "2"] };

  expect(await refusalOf("listKeys", { url: "/admin/v1/keys?limit=1&limit=2", query })).toEqual({
    code: "duplicate_parameter",
    param: "limit",
    message: "Duplicate parameter: 'limit'. Only one value is allowed.",
  });
});

test.each<[string, unknown]>([
  ["group_by", ""],
  ["group_by=", ""],
  ["group_by&group_by=key", ["", "key"]],
])("the list in ?%s has no value, and is refused", async (text, value) => {
  const request = { url: `/admin/v1/usage?${text}`, query: { group_by: value } };

  expect(await refusalOf("retrieveUsage", request)).toEqual({
    code: "empty_string",
    param: "group_by",
    message: "Invalid 'group_by': it cannot be an empty string.",
  });
});

test("a list with a repeated item is refused", async () => {
  const query = { group_by: "day,day" };

  expect(await refusalOf("retrieveUsage", { url: "/admin/v1/usage?group_by=day,day", query })).toEqual({
    code: "invalid_value",
    param: "group_by",
    message: "Invalid 'group_by': its items must be unique.",
  });
});

test("an unknown field with an empty name is an unknown parameter", async () => {
  expect(await refusalOf("createKey", { body: { name: "a", "": 1 } })).toEqual({
    code: "unknown_parameter",
    param: null,
    message: "Unknown parameter: ''.",
  });
});

/** Counts how often a part of a value is read, however deep it is. */
function countReads(value: unknown): { readonly counted: unknown; readonly reads: () => number } {
  let reads = 0;
  const wrap = (inner: unknown): unknown =>
    typeof inner === "object" && inner !== null
      ? new Proxy(inner, {
          get: (target, key) => {
            reads += 1;
            return wrap(Reflect.get(target, key));
          },
          ownKeys: (target) => {
            const keys = Reflect.ownKeys(target);
            reads += keys.length;
            return keys;
          },
        })
      : inner;
  return { counted: wrap(value), reads: () => reads };
}

const levels = 10_000;
const deepArray = JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
const deepObject = JSON.parse(`${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`);

// A worker serves no other request while it validates: a hostile body must not cost more than an ordinary one.
test.each<[string, unknown]>([
  ["a deep array for a body", deepArray],
  ["a deep object for a body", deepObject],
  ["a deep array for a text", { ...edit, user: deepArray }],
  ["a deep object for a text", { ...edit, user: deepObject }],
  ["a deep array for the images", { ...edit, images: deepArray }],
  ["a deep object for an image", { ...edit, images: [deepObject] }],
  ["a deep object for a URL", { ...edit, images: [{ image_url: deepObject }] }],
  ["10,000 invalid images", { ...edit, images: Array(levels).fill({}) }],
])("%s is refused without being read whole", async (_what, body) => {
  const { counted, reads } = countReads(body);

  expect(await refusalOf("createImageEdit", { body: counted })).toBeDefined();

  expect(reads()).toBeLessThan(100);
});

test.each<[string, unknown]>([
  ["a deep array", deepArray],
  ["a deep object", deepObject],
])("%s for a field that the spec does not name is not read, and left to the model", async (_what, deep) => {
  const { counted, reads } = countReads({ ...edit, deep });

  expect(await refusalOf("createImageEdit", { body: counted })).toBeUndefined();

  expect(reads()).toBeLessThan(100);
});

test.each<[string, unknown]>([
  ["a deep array", deepArray],
  ["10,000 lists, the last one invalid", [...Array(levels).fill([1]), ["a"]]],
  ["10,000 invalid texts", Array(levels).fill("")],
  ["10,000 objects", Array(levels).fill({})],
])("%s for the input is refused without being read whole", async (_what, input) => {
  const { counted, reads } = countReads({ model: "m", input });

  expect(await refusalOf("createEmbedding", { body: counted })).toBeDefined();

  expect(reads()).toBeLessThan(100);
});
