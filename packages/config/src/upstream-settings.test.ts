import { expect, test } from "vitest";
import { faultsOf } from "./test/load-text.js";

const upstream = (settings: object) => `
upstreams: { u: ${JSON.stringify({ provider: "openai", ...settings })} }
models: { m: { type: embedding, targets: [{ upstream: u, model: m }] } }
`;

test.each<[name: string, headers: Record<string, unknown>, fault: RegExp]>([
  ["a name with a space", { "x y": "a" }, /u\.headers\.x y: is not a valid name/],
  ["a header of the connection", { Connection: "close" }, /u\.headers\.Connection: is set by the gateway/],
  ["the host", { host: "x" }, /u\.headers\.host: is set by the gateway/],
  ["a content type", { "content-type": "x" }, /u\.headers\.content-type: is set by the gateway/],
  ["credentials of a proxy", { "proxy-authorization": "x" }, /proxy-authorization: is set by the gateway/],
  ["compression", { "accept-encoding": "gzip" }, /accept-encoding: is set by the gateway/],
  ["a name in two cases", { "x-a": "1", "X-A": "2" }, /u\.headers\.X-A: is there twice/],
  ["a line break", { "x-a": "hush\r\nx-b: 1" }, /u\.headers\.x-a: must be printable ASCII in one line/],
  ["another alphabet", { "x-a": "hush ü" }, /u\.headers\.x-a: must be printable ASCII in one line/],
  ["a long value", { "x-a": "hush".repeat(4000) }, /u\.headers\.x-a: must have at most 8192 characters/],
  ["a number", { "x-a": 1 }, /u\.headers\.x-a: must be text/],
  [
    "a second authorization",
    { Authorization: "hush" },
    /u\.headers\.Authorization: is sent for apiKey already/,
  ],
  [
    "too many",
    Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`x-${index}`, "a"])),
    /u\.headers: must have at most 64 entries/,
  ],
])("a header with %s is a fault that names it and not its value", (_name, headers, fault) => {
  const faults = faultsOf(upstream({ apiKey: "upstream-key", headers }));

  expect(faults).toEqual([expect.stringMatching(fault)]);
  expect(faults.join()).not.toContain("hush");
});

test.each([
  ["another protocol", "socks5://hush@proxy:1080", /u\.proxy: must be an http or https URL/],
  ["no URL", "proxy:3128", /u\.proxy: must be an http or https URL/],
  ["a path", "http://hush@proxy:3128/path", /u\.proxy: must end after the port/],
  ["a bare %", "http://u:hush%zz@proxy:3128", /u\.proxy: has a % in its user or password/],
])("a proxy with %s is a fault that quotes no password", (_name, proxy, fault) => {
  const faults = faultsOf(upstream({ proxy }));

  expect(faults).toEqual([expect.stringMatching(fault)]);
  expect(faults.join()).not.toContain("hush");
});

test.each([
  ["", "region: is missing"],
  ["region: frankfurt,", "region: must be a region of AWS"],
  ["baseUrl: 'http://127.0.0.1:1',", "region: is missing"],
  ["region: us-east-1, accessKeyId: a,", "secretAccessKey: is missing"],
  ["region: us-east-1, secretAccessKey: a,", "accessKeyId: is missing"],
  ["region: us-east-1, sessionToken: a,", "sessionToken: needs accessKeyId"],
  ["region: us-east-1, apiKey: k, accessKeyId: a, secretAccessKey: b,", "apiKey: is used instead"],
  ["region: us-east-1, headers: { X-Amz-Date: a },", "headers.X-Amz-Date: is part of the signature"],
])("the settings of Bedrock %j are refused by name", (settings, message) => {
  const faults = faultsOf(`
upstreams: { aws: { ${settings} provider: bedrock } }
models: { m: { type: embedding, targets: [{ upstream: aws, model: amazon.titan-embed-text-v2:0 }] } }
`);

  expect(faults).toEqual([expect.stringContaining(message)]);
});
