import { expect, test } from "vitest";
import { credentialText, credentialTone } from "./credential.js";

const now = Date.parse("2026-11-16T12:00:00Z");
const source = "the web identity of arn:aws:iam::123456789012:role/gateway";

test.each([
  ["idle", null, `not requested yet, from ${source}`, "faint"],
  ["valid", now + 720_000, `expires in 12 min, from ${source}`, "good"],
  ["valid", null, `does not expire, from ${source}`, "good"],
  ["failing", now + 30_000, `expires in 30 s, and was not renewed, from ${source}`, "warning"],
  ["missing", null, `none, from ${source}`, "bad"],
] as const)("a credential that is %s until %s: %s", (status, expiresAt, text, tone) => {
  expect(credentialText({ source, status, expiresAt }, now)).toBe(text);
  expect(credentialTone({ status })).toBe(tone);
});
