import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Schema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: boolean;
}

const { components } = JSON.parse(readFileSync(new URL("generated/openapi.json", import.meta.url), "utf8"));
const schemas: Readonly<Record<string, Schema>> = components.schemas;

test.each([
  ["CreateDeploymentEmbeddingRequest", "CreateEmbeddingRequest"],
  ["CreateDeploymentImageRequest", "CreateImageRequest"],
  ["CreateDeploymentImageEditForm", "CreateImageEditForm"],
  ["CreateDeploymentImageEditRequest", "CreateImageEditRequest"],
])("%s is %s without a model that counts", (name, original) => {
  const { model: _path, ...properties } = schemas[name]?.properties ?? {};
  const { model: _body, ...wanted } = schemas[original]?.properties ?? {};

  expect(properties).toEqual(wanted);
  expect(schemas[name]?.additionalProperties).toBe(schemas[original]?.additionalProperties);
  expect(schemas[name]?.required ?? []).toEqual(
    schemas[original]?.required?.filter((one) => one !== "model"),
  );
});
