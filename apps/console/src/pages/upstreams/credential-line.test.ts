import { expect, test } from "vitest";
import { describeCredential } from "./credential-line.js";

const now = Date.parse("2026-11-16T12:00:00Z");
const base = { source: "the role of this instance", renewed_at: null, error: null };

test.each([
  ["idle", null, "Credential not requested yet"],
  ["valid", now / 1000 + 720, "Credential expires in 12 min"],
  ["failing", now / 1000 + 30, "Credential expires in 30 s"],
  ["valid", null, "Credential does not expire"],
  ["missing", null, "No valid credential"],
] as const)("a credential that is %s until %s: %s", (status, expires_at, text) => {
  expect(describeCredential({ ...base, status, expires_at }, now)).toBe(text);
});
