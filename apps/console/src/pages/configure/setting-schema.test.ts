import { expect, test } from "vitest";
import { labelOf, readSchema, type SettingSchema, splitSettings } from "./setting-schema.js";

const text = { type: "string", minLength: 1 } as const;

const schema: SettingSchema = {
  type: "object",
  required: ["provider", "location"],
  properties: {
    provider: { type: "string", const: "example" },
    baseUrl: { type: "string", default: "https://api.example/v1" },
    apiKey: { ...text, description: "The key. Take it from the environment: ${NAME}." },
    location: text,
    preset: { type: "string", enum: ["one", "two"] },
    surface: { type: "string", enum: ["v1", "classic"] },
    discover: { default: false, anyOf: [{ type: "boolean" }, { type: "string" }, { type: "array" }] },
    identity: {
      anyOf: [
        { type: "string", const: "managed" },
        { type: "object", properties: { tenantId: text, clientSecret: text }, required: ["tenantId"] },
      ],
    },
    timeoutMs: { type: "integer" },
    headers: { type: "object", additionalProperties: { type: "string" } },
    proxy: text,
    tls: { type: "object", properties: { ca: text } },
    models: { type: "object", additionalProperties: { type: "object" } },
  },
};
const settings = readSchema(schema, { secrets: new Set(["apiKey", "headers"]) });

test("each shape of a setting has its field, and the provider has none", () => {
  expect(settings.map(({ name, kind }) => [name, kind])).toEqual([
    ["baseUrl", "text"],
    ["apiKey", "text"],
    ["location", "text"],
    ["preset", "choice"],
    ["surface", "choice"],
    ["discover", "flag"],
    ["identity", "variants"],
    ["timeoutMs", "number"],
    ["headers", "pairs"],
    ["proxy", "text"],
    ["tls", "group"],
    ["models", "json"],
  ]);
});

test("inner settings have paths, and secrets are known at any depth", () => {
  const identity = settings.find(({ name }) => name === "identity");

  expect(identity?.choices).toEqual(["managed"]);
  expect(identity?.inner.map(({ name, isSecret, isRequired }) => ({ name, isSecret, isRequired }))).toEqual([
    { name: "identity.tenantId", isSecret: false, isRequired: true },
    { name: "identity.clientSecret", isSecret: true, isRequired: false },
  ]);
});

test("a preset comes first, whatever is required", () => {
  expect(splitSettings(settings).first.map(({ name }) => name)).toEqual(["preset", "apiKey", "location"]);
});

test("required settings come first, then those that identify the service; the rest is folded", () => {
  const { first, more } = splitSettings(settings.filter(({ name }) => name !== "preset"));

  expect(first.map(({ name }) => name)).toEqual(["location", "apiKey"]);
  expect(more.map(({ name }) => name)).toEqual([
    "baseUrl",
    "surface",
    "discover",
    "identity",
    "timeoutMs",
    "headers",
    "proxy",
    "tls",
    "models",
  ]);
});

test("the help of a secret does not speak of the file", () => {
  expect(settings.find(({ name }) => name === "apiKey")?.help).toBe("The key.");
});

test.each([
  ["baseUrl", "Base URL"],
  ["apiKey", "API key"],
  ["timeoutMs", "Timeout, ms"],
  ["discoverEveryMs", "Discover every, ms"],
  ["ca", "CA"],
])("%s is called %s", (key, label) => {
  expect(labelOf(key)).toBe(label);
});
