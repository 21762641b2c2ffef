import { expect, test } from "vitest";
import { GatewayError } from "../../errors.js";
import type { OperationId } from "../../operations.js";
import { operationsOf, readSpec } from "./spec.js";
import { type Subject, Validator } from "./validate.js";

const document = readSpec();
const operations = operationsOf(document);
const validator = new Validator(document);

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

const edit = { model: "m", prompt: "a fox", images: [{ image_url: "data:image/png;base64,iVBORw0KGgo=" }] };

test("a valid request is accepted", async () => {
  expect(await refusalOf("createImageEdit", { body: edit })).toBeUndefined();
});

test("a fault in a header names the header", async () => {
  const headers = { "x-gateway-timeout-ms": "soon" };

  expect(await refusalOf("createImageEdit", { body: edit, headers })).toEqual({
    code: "invalid_value",
    param: "x-gateway-timeout-ms",
    message: "Invalid 'x-gateway-timeout-ms': must be integer.",
  });
});

test("a fault in the path names the parameter", async () => {
  expect(await refusalOf("retrieveModel", { params: { model: "m".repeat(300) } })).toEqual({
    code: "invalid_value",
    param: "model",
    message: "Invalid 'model': must NOT have more than 256 characters.",
  });
});

test("a change without a field is refused", async () => {
  expect(await refusalOf("changeKey", { params: { key: "key_1" }, body: {} })).toEqual({
    code: "missing_required_parameter",
    param: null,
    message: "The request body is empty: send at least one field to change.",
  });
});

test("a query parameter that is sent twice is refused", async () => {
  const query = { limit: ["1", "2"] };

  expect(await refusalOf("listKeys", { url: "/admin/v1/keys?limit=1&limit=2", query })).toEqual({
    code: "duplicate_parameter",
    param: "limit",
    message: "Duplicate parameter: 'limit'. Only one value is allowed.",
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
  expect(await refusalOf("createImageEdit", { body: { ...edit, "": 1 } })).toEqual({
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
  ["a deep array for an unknown field", { ...edit, deep: deepArray }],
  ["a deep object for an unknown field", { ...edit, deep: deepObject }],
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
  ["10,000 lists, the last one invalid", [...Array(levels).fill([1]), ["a"]]],
  ["10,000 invalid texts", Array(levels).fill("")],
  ["10,000 objects", Array(levels).fill({})],
])("%s for the input is refused without being read whole", async (_what, input) => {
  const { counted, reads } = countReads({ model: "m", input });

  expect(await refusalOf("createEmbedding", { body: counted })).toBeDefined();

  expect(reads()).toBeLessThan(100);
});
