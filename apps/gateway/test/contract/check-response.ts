import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { readSpec } from "../../src/http/request/spec.js";
import type { OperationId } from "../../src/operations.js";

interface SpecHeader {
  readonly required?: boolean;
  readonly schema: object;
}
interface SpecResponse {
  readonly headers?: Readonly<Record<string, SpecHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

const spec = JSON.parse(JSON.stringify(readSpec()));
closeObjects(spec.components.schemas);
const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
addFormats.default(ajv);
ajv.addSchema(spec, "spec");

/** Checks a whole response against the spec: its status, content type, headers and body. Returns the body. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
export async function checkResponse(operationId: OperationId, response: Response): Promise<any> {
  const specified = specResponse(operationId, response.status);
  for (const [name, header] of Object.entries(specified.headers ?? {})) {
    const value = response.headers.get(name);
    if (header.required) expect(value, `the header ${name} of a ${response.status}`).not.toBeNull();
    if (value !== null) checkValue(header.schema, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value);
  }
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const content = specified.content?.[type];
  expect(content, `the spec has ${type} for ${operationId} ${response.status}`).toBeDefined();
  if (type === "text/event-stream") return readEventStream(await response.text(), content?.schema ?? {});
  if (type.startsWith("image/")) return Buffer.from(await response.arrayBuffer());
  const body = type.startsWith("text/") ? await response.text() : await response.json();
  checkValue(content?.schema ?? {}, body);
  return body;
}

function readEventStream(text: string, schema: object): { event: string; data: unknown }[] {
  return text
    .trimEnd()
    .split("\n\n")
    .map((block) => {
      const [eventLine = "", dataLine = ""] = block.split("\n");
      const data = JSON.parse(dataLine.replace("data: ", ""));
      expect(eventLine).toBe(`event: ${data.type}`);
      checkValue(schema, data);
      return { event: data.type, data };
    });
}

function checkValue(schema: object, value: unknown): void {
  const validate = ajv.compile(rebase(schema));
  expect(validate(value) ? [] : validate.errors).toEqual([]);
}

function specResponse(operationId: OperationId, status: number): SpecResponse {
  for (const item of Object.values<
    Record<string, { operationId?: string; responses: Record<string, { $ref: string }> }>
  >(spec.paths)) {
    for (const operation of Object.values(item)) {
      if (operation.operationId !== operationId) continue;
      const reference = operation.responses[status];
      expect(reference, `the spec names ${status} for ${operationId}`).toBeDefined();
      const found = resolve(reference ?? { $ref: "" });
      const headers = Object.entries(found.headers ?? {}).map(([name, header]) => [name, resolve(header)]);
      return { ...found, headers: Object.fromEntries(headers) };
    }
  }
  throw new Error(`The spec has no operation ${operationId}.`);
}

// biome-ignore lint/suspicious/noExplicitAny: a reference may point to anything in the spec.
function resolve(value: any): any {
  if (value.$ref === undefined) return value;
  return value.$ref
    .slice(2)
    .split("/")
    .reduce((node: Record<string, unknown>, step: string) => node[step], spec);
}

/** References in the spec are local to it; the schemas compiled here stand outside. */
function rebase(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"spec#/'));
}

/** The spec lets responses grow. What this gateway sends today must be in it all the same. */
function closeObjects(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  if ("properties" in node && !("additionalProperties" in node))
    Object.assign(node, { unevaluatedProperties: false });
  for (const inner of Object.values(node)) closeObjects(inner);
}
