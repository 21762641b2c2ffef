import { expect, test } from "vitest";
import { readCredentials } from "./aws-source.js";

const now = () => Date.parse("2026-11-16T12:00:00Z");
const issued = {
  AccessKeyId: "ASIA1",
  SecretAccessKey: "secret",
  Token: "session",
  Expiration: "2026-11-16T13:00:00Z",
};

test.each([
  ["is not an object", "<html>", "has no credentials"],
  ["has no secret", { ...issued, SecretAccessKey: undefined }, "has no credentials"],
  ["has no session token", { ...issued, Token: "" }, "has no credentials"],
  ["has expired", { ...issued, Expiration: "2026-11-16T11:00:00Z" }, "have expired"],
  ["does not say when it expires", { ...issued, Expiration: undefined }, "have expired"],
])("a reply that %s is not used", (_name, reply, message) => {
  expect(() => readCredentials(reply, now)).toThrow(message);
});
