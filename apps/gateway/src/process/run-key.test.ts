import type { Config } from "@model-gateway/config/config";
import { load, minimal } from "@model-gateway/config/test/load-text";
import { expect, test } from "vitest";
import { createRunKey, exampleKeyOf, withRunKey } from "./run-key.js";

const withoutKeys = load(minimal);
const withKeys = load(`keys: [{ name: web, key: web-key-0123456789 }]${minimal}`);
const withoutFile = withoutPath(withoutKeys);
const create = "npx @model-gateway/gateway keys create <name>";

test("a log never gets a key of a gateway that has a file", () => {
  const place = { isTerminal: false };

  expect(createRunKey(withoutKeys, place)).toBeUndefined();
  expect(createRunKey(withKeys, place)).toBeUndefined();
  expect(createRunKey(withoutFile, place)).toMatch(/^mg_\w{30,}$/);
  expect(createRunKey(withoutPath(withKeys), place)).toBeUndefined();
});

test("a person at a terminal gets a key, unless the file has one", () => {
  const place = { isTerminal: true };

  expect(createRunKey(withoutKeys, place)).toMatch(/^mg_\w{30,}$/);
  expect(createRunKey(withKeys, place)).toBeUndefined();
});

test("the key of the run is in the configuration until the file has keys", () => {
  expect(withRunKey(withoutKeys, "mg_run").keys.map(({ key }) => key.id)).toEqual(["config:this-run"]);
  expect(withRunKey(withKeys, "mg_run").keys.map(({ key }) => key.id)).toEqual(["config:web"]);
  expect(withRunKey(withoutKeys, undefined).keys).toEqual([]);
});

test("the table advises what works: a file does not read GATEWAY_KEY by itself", () => {
  expect(exampleKeyOf(withoutFile, "mg_run")).toEqual({
    created: "mg_run",
    lasting: "GATEWAY_KEY sets a lasting one",
  });
  expect(exampleKeyOf(withoutKeys, "mg_run")).toEqual({
    created: "mg_run",
    lasting: `for a lasting one: ${create}`,
  });
  expect(exampleKeyOf(withoutKeys, undefined)).toEqual({ missing: create });
  expect(exampleKeyOf(withKeys, undefined)).toBeUndefined();
  expect(exampleKeyOf(withoutPath(withKeys), undefined)).toEqual({ variable: "GATEWAY_KEY" });
});

function withoutPath({ file: _, ...config }: Config): Config {
  return config;
}
