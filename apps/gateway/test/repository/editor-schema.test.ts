import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readBlocks } from "./blocks.js";

const root = join(import.meta.dirname, "../../../..");
const schema = JSON.parse(readFileSync(join(root, "apps/gateway/generated/config.schema.json"), "utf8"));
const configurations = readBlocks().flatMap(({ place, text }) => {
  const [, path = ""] = /^# yaml-language-server: \$schema=(.+)$/m.exec(text) ?? [];
  return path === "" ? [] : [{ place, path, text }];
});

test("the schema of the configuration has the form that SchemaStore wants", () => {
  expect(schema).toMatchObject({
    $id: "https://json.schemastore.org/model-gateway.json",
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Model Gateway configuration",
    type: "object",
    additionalProperties: false,
  });
});

test("each configuration that names the schema names its file, and an editor finds no fault in it", () => {
  const ajv = new Ajv({ strict: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);

  const faults = configurations.flatMap(({ place, path, text }) =>
    existsSync(join(root, path)) && validate(parse(text)) ? [] : [{ place, errors: validate.errors }],
  );

  expect(configurations.length).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});
