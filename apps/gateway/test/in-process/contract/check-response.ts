import type { OperationId } from "@model-gateway/domain/operations";
import { objectAt } from "@model-gateway/runtime/json";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { documentedResponse, readDocument, undocumented, unlistedCode } from "../../gateway/documented.js";

const spec = JSON.parse(JSON.stringify(readDocument()));
closeObjects(spec.components.schemas);
const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
addFormats.default(ajv);
ajv.addSchema(spec, "spec");

/** Checks a whole response against the spec: its status, content type, headers and body. Returns the body. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
export async function checkResponse(operationId: OperationId, response: Response): Promise<any> {
  expect(undocumented(operationId, response.status, [...response.headers.keys()])).toEqual([]);
  const specified = documentedResponse(operationId, response.status);
  for (const [name, header] of Object.entries(specified?.headers ?? {})) {
    const value = response.headers.get(name);
    if (value !== null) checkValue(header.schema, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value);
  }
  if (specified !== undefined && specified.content === undefined)
    return Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const content = specified?.content?.[type];
  expect(content, `the spec has ${type} for ${operationId} ${response.status}`).toBeDefined();
  if (type === "text/event-stream") return readEventStream(await response.text(), content?.schema ?? {});
  if (type.startsWith("image/") || type === "application/octet-stream")
    return Buffer.from(await response.arrayBuffer());
  const body = type.startsWith("text/") ? await response.text() : await response.json();
  checkValue(content?.schema ?? {}, body);
  const { code } = objectAt(body, "error");
  // Paths for clients of other APIs have errors without a code.
  if (response.status >= 400 && typeof code === "string") expect(unlistedCode(operationId, code)).toEqual([]);
  return body;
}

function readEventStream(text: string, schema: object): { event: string; data: unknown }[] {
  const blocks = text.trimEnd().split("\n\n");
  // On a busy machine there is time for a comment that keeps the connection open.
  const events = blocks.filter((block) => !block.startsWith(":"));
  return events.map((block) => {
    const [eventLine = "", dataLine = ""] = block.split("\n");
    const data = JSON.parse(dataLine.replace("data: ", ""));
    expect(eventLine).toBe(`event: ${data.type}`);
    checkValue(schema, data);
    return { event: data.type, data };
  });
}

function checkValue(schema: object, value: unknown): void {
  const validate = validatorOf(schema);
  expect(validate(value) ? [] : validate.errors).toEqual([]);
}

/** The compiled schemas, by their text. Compiling one for each value took a fifth of the time of the contract tests. */
const validators = new Map<string, ValidateFunction>();

/** References in the spec are local to it; the schemas compiled here are outside. */
function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"spec#/');
  const known = validators.get(text);
  if (known !== undefined) return known;
  const compiled = ajv.compile(JSON.parse(text));
  validators.set(text, compiled);
  return compiled;
}

/** The spec lets responses grow. Today's fields must be in it all the same. */
function closeObjects(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  if ("properties" in node && !("additionalProperties" in node))
    Object.assign(node, { unevaluatedProperties: false });
  for (const inner of Object.values(node)) closeObjects(inner);
}
