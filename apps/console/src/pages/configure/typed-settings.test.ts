import { expect, test } from "vitest";
import { readSchema } from "./setting-schema.js";
import { findFaults, keptSecret, ownVariant, readEntry, writeSettings } from "./typed-settings.js";

const text = { type: "string" } as const;
const settings = readSchema(
  {
    required: ["baseUrl"],
    properties: {
      baseUrl: { ...text, format: "uri" },
      apiKey: text,
      timeoutMs: { type: "integer" },
      discover: { default: false, anyOf: [{ type: "boolean" }, { type: "array" }] },
      headers: { type: "object", additionalProperties: text },
      tls: { type: "object", properties: { ca: text, key: text } },
      identity: {
        anyOf: [
          { type: "string", const: "managed" },
          { type: "object", properties: { tenantId: text }, required: ["tenantId"] },
        ],
      },
      models: { type: "object", additionalProperties: { type: "object" } },
    },
  },
  { secrets: new Set(["apiKey", "headers"]) },
);

test.each([
  { baseUrl: "http://a/v1" },
  { baseUrl: "http://a/v1", apiKey: keptSecret, timeoutMs: 2000, discover: true, headers: keptSecret },
  { discover: false, headers: { "x-team": "a" }, tls: { ca: "/ca.pem" }, identity: "managed" },
  { discover: [{ include: "*" }], identity: { tenantId: "t" }, models: { m: { size: "size" } } },
])("an entry is read into fields and written as it was: %j", (entry) => {
  expect(writeSettings(settings, readEntry(settings, entry))).toEqual(entry);
});

test("empty fields are left out", () => {
  const typed = {
    baseUrl: " http://a/v1 ",
    apiKey: "",
    timeoutMs: " ",
    headers: [["", "x"]],
    "tls.ca": "",
  } as const;

  expect(writeSettings(settings, typed)).toEqual({ baseUrl: "http://a/v1" });
});

test("faults are sentences at their fields", () => {
  const typed = { timeoutMs: "soon", discover: "[", identity: ownVariant };

  expect(findFaults(settings, typed)).toEqual({
    baseUrl: "Base URL is required.",
    timeoutMs: "Enter a number.",
    discover: "This is not valid JSON.",
    "identity.tenantId": "Tenant id is required.",
  });
  for (const baseUrl of ["http://a", "HTTPS://a", "${ADDRESS}"])
    expect(findFaults(settings, { baseUrl })).toEqual({});
  expect(findFaults(settings, { baseUrl: "a.example/v1" })).toEqual({
    baseUrl: "Begin with http:// or https://, as in https://a.example/v1.",
  });
  expect(findFaults(settings, { baseUrl: "ftp://a" })).toEqual({
    baseUrl: "Begin with http:// or https://.",
  });
});
