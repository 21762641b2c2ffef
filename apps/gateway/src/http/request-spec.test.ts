import { expect, test } from "vitest";
import { readSpec } from "./openapi.js";
import { requestSpec } from "./request-spec.js";

const whole = readSpec();

test("what is left has the wanted paths, every parameter and body of theirs, and no answers", () => {
  const part = requestSpec(whole, (item) => "patch" in item);

  expect(Object.keys(part.paths)).toEqual(["/admin/v1/keys/{key}"]);
  expect(part.paths["/admin/v1/keys/{key}"]?.patch).toMatchObject({
    operationId: "changeKey",
    requestBody: { required: true },
    responses: {},
  });
  expect(Object.keys(part.components.parameters ?? {})).toEqual(["KeyInPath"]);
  expect(Object.keys(part.components.schemas)).toContain("UsageLimitsChange");
  expect(Object.keys(part.components.schemas)).not.toContain("AccessKey");
});

test("every reference in what is left leads somewhere", () => {
  const part = requestSpec(whole, () => true);

  const references = [...JSON.stringify(part).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  const components = part.components as unknown as Record<string, Record<string, unknown>>;

  expect(references.length).toBeGreaterThan(20);
  expect(references.filter(([, kind = "", name = ""]) => components[kind]?.[name] === undefined)).toEqual([]);
});

test("the spec itself stays as it is", () => {
  const before = structuredClone(whole);

  requestSpec(whole, () => true);

  expect(whole).toEqual(before);
});
