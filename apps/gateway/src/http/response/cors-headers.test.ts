import { expect, test } from "vitest";
import { readSpec } from "../request/spec.js";
import { corsLines } from "./cors-headers.js";

/** https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name */
const safelisted = ["cache-control", "content-language", "content-length", "content-type", "expires"];

/** Browsers act on these themselves, and no script reads them. */
const forBrowsers = ["content-disposition", "content-encoding", "content-security-policy"];
const forServers = ["allow", "www-authenticate", "x-accel-buffering", "x-content-type-options"];

test("scripts may read every header in the spec that is for them", () => {
  const exposed = /expose-headers: (.*)\r\n/.exec(corsLines)?.[1]?.split(", ") ?? [];

  const others = new Set([...safelisted, ...forBrowsers, ...forServers]);
  const documented = [...headerNames(readSpec())].filter(
    (name) => !others.has(name) && !name.startsWith("access-control-"),
  );
  expect([...exposed].sort()).toEqual(documented.sort());
});

/** All response header names. */
function headerNames(document: object): Set<string> {
  const { responses } = (document as { components: { responses: Record<string, { headers?: object }> } })
    .components;
  return new Set(Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)));
}
