import type { JsonSchema } from "../../../src/execution/validation/json-schema.js";
import { operationsOf, readSpec } from "../../../src/execution/validation/spec.js";
import { type CaseKind, jsonOperations, jsonRequest, type MalformedCase } from "./malformed-case.js";

/** Every field of every operation with a value of every other type, as the spec itself lists them. */
export const wrongFields: CaseKind = function* () {
  for (const { path, body } of jsonOperations) {
    const schema = bodySchema(path);
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      for (const [name, text] of values) yield wrongValue({ path, body, field, inner }, name, text);
    }
    for (const field of Object.keys(body)) {
      const { [field as keyof typeof body]: _left, ...others } = body;
      yield {
        name: `${path} without ${field}`,
        bytes: jsonRequest(path, JSON.stringify(others)),
        outcome: "refused",
        status: 400,
        param: field,
      };
    }
    for (const field of unknownFields) {
      const bytes = jsonRequest(path, JSON.stringify({ ...body, [field]: 1 }));
      yield {
        name: `${path} with the unknown ${field}`,
        bytes,
        outcome: "refused",
        status: 400,
        param: field,
      };
    }
    yield* inside(path, body);
  }
};

interface Place {
  readonly path: string;
  readonly body: object;
  readonly field: string;
  readonly inner: JsonSchema;
}

function wrongValue({ path, body, field, inner }: Place, name: string, text: string): MalformedCase {
  const whole = JSON.stringify({ ...body, [field]: "the value" }).replace('"the value"', () => text);
  const isWrong = !typesOf(inner).includes(typeOf(text));
  return {
    name: `${path} with ${name} for ${field}`,
    bytes: jsonRequest(path, whole),
    ...(isWrong ? { outcome: "refused", status: 400, param: field } : { outcome: "taken or refused" }),
  };
}

/** Values as they are written, for there are some that JSON.stringify would not write. */
const values: readonly (readonly [string, string])[] = [
  ["null", "null"],
  ["true", "true"],
  ["a number", "5"],
  ["a negative number", "-1"],
  ["a decimal", "1.5"],
  ["1e999", "1e999"],
  ["-1e999", "-1e999"],
  ["1e300", "1e300"],
  ["a number of thirty digits", "123456789012345678901234567890"],
  ["an empty string", '""'],
  ["a string", '"auto"'],
  ["a surrogate", '"\\ud800"'],
  ["a null byte", '"a\\u0000b"'],
  ["a line break", '"a\\r\\nx-injected: 1"'],
  ["40,000 letters", `"${"a".repeat(40_000)}"`],
  ["an empty array", "[]"],
  ["an array of null", "[null]"],
  ["an array in an array in an array", "[[[1]]]"],
  ["an array of objects", "[{}]"],
  ["an empty object", "{}"],
  ["an object", '{"__proto__":1,"length":1}'],
];

const unknownFields = [
  "sampler",
  "Model",
  "model ",
  "inputs",
  "__proto__x",
  "constructor",
  "image[]",
  "0",
  "extra_body",
  "messages",
  "input.text",
];

/** Faults below the first level: the four-way input, and the images of the JSON form. */
function* inside(path: string, body: object): Generator<MalformedCase> {
  const one = (field: string, text: string, param = field): MalformedCase => ({
    name: `${path} with ${field} = ${text.slice(0, 40)}`,
    bytes: jsonRequest(
      path,
      JSON.stringify({ ...body, [field]: "the value" }).replace('"the value"', () => text),
    ),
    outcome: "refused",
    status: 400,
    param,
  });
  if ("input" in body || path.includes("engines")) {
    for (const text of inputs) yield one("input", text);
  }
  if ("images" in body) {
    for (const text of images) {
      yield one("images", `[${text}]`);
      yield one("mask", text);
    }
    yield one(
      "images",
      `[${Array(17).fill('{"image_url":"data:image/png;base64,iVBORw0KGgo="}').join(",")}]`,
    );
  }
}

const inputs = [
  "[]",
  "[[]]",
  '[""]',
  '["a",""]',
  "[1,[2]]",
  '[1,"a"]',
  '["a",1]',
  '["a",["b"]]',
  "[[1],2]",
  "[-1]",
  "[1.5]",
  "[1e999]",
  "[[1e999]]",
  "[true]",
  "[null]",
  "[[null]]",
  "[{}]",
  '{"text":"a"}',
  `[${Array(2049).fill('"a"').join(",")}]`,
  `[${Array(2049).fill("1").join(",")}]`,
  `[${Array(2049).fill("[1]").join(",")}]`,
];

const images = [
  "null",
  "1",
  '"data:image/png;base64,iVBORw0KGgo="',
  "[]",
  "{}",
  '{"image_url":null}',
  '{"image_url":1}',
  '{"image_url":""}',
  '{"image_url":"x"}',
  '{"image_url":"http://127.0.0.1/a.png"}',
  '{"image_url":"file:///etc/passwd"}',
  '{"image_url":"data:,"}',
  '{"image_url":"data:image/png;base64,"}',
  '{"image_url":"data:image/png;base64,!!!!"}',
  '{"image_url":"data:image/png;base64,AAAA"}',
  '{"image_url":"data:image/svg+xml;base64,PHN2Zy8+"}',
  `{"image_url":"data:${";".repeat(5000)},"}`,
  '{"image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}',
  '{"file_id":"file-1"}',
  '{"image_url":"data:image/png;base64,iVBORw0KGgo=","detail":"high"}',
];

function bodySchema(path: string): JsonSchema {
  const pattern = path.replace("/good/", "/:model/");
  const operation = operationsOf(readSpec()).find((one) => one.path === pattern);
  const schema = operation?.bodies.get("application/json");
  if (schema === undefined) throw new Error(`The spec has no JSON body for ${path}.`);
  return schema;
}

function typesOf(schema: JsonSchema): string[] {
  const own = [schema.type ?? []].flat();
  return [...own, ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(typesOf)];
}

function typeOf(text: string): string {
  const value: unknown = JSON.parse(text);
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
