import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { corsLines } from "./cors-headers.js";

/** https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name */
const safelisted = ["cache-control", "content-language", "content-length", "content-type", "expires"];

/** Browsers act on these themselves, and no script reads them. */
const forBrowsers = ["content-disposition", "content-encoding", "content-security-policy"];
const forServers = ["allow", "www-authenticate", "x-accel-buffering", "x-content-type-options"];

test("scripts may read every header in the spec that is for them", () => {
  const exposed = /expose-headers: (.*)\r\n/.exec(corsLines)?.[1]?.split(", ") ?? [];

  const others = new Set([...safelisted, ...forBrowsers, ...forServers]);
  const documented = [...headerNames()].filter(
    (name) => !others.has(name) && !name.startsWith("access-control-"),
  );
  expect([...exposed].sort()).toEqual(documented.sort());
});

/** All response header names. */
function headerNames(): Set<string> {
  const { components } = createRequire(import.meta.url)("@model-gateway/spec/openapi.json");
  const responses: Record<string, { headers?: object }> = components.responses;
  return new Set(Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)));
}
