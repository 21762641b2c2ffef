import { createKeyText } from "@model-gateway/domain/key-text";
import { describe, expect, test } from "vitest";
import { redacted, SecretFilter } from "./secret-filter.js";

const key = "sk-proj/Zk3+9q=7Hd2-mX8vT_0w";
const filter = new SecretFilter([key]);
const base64 = (text: string) => Buffer.from(text).toString("base64");

test.each([
  ["as it is", `Incorrect key ${key}.`, `Incorrect key ${redacted}.`],
  ["twice", `${key}, ${key}`, `${redacted}, ${redacted}`],
  ["in a longer word", `x${key}x`, `x${redacted}x`],
  ["in a URL", `?key=${encodeURIComponent(key)}&a=1`, `?key=${redacted}&a=1`],
  ["in a URL with few escapes", `?key=${key.replace("/", "%2f")}&a=1`, `?key=${redacted}&a=1`],
  ["in base64", `got ${base64(key)}`, undefined],
  ["in base64 for URLs", Buffer.from(key).toString("base64url"), undefined],
  ["in base64 after a scheme", base64(`Bearer ${key}`), undefined],
  ["in base64 after a user", base64(`user1:${key}`), undefined],
  ["in base64 before more", base64(`${key}:with more behind it`), undefined],
])("a secret %s is hidden", (_name, text, wanted) => {
  const hidden = filter.hide(text);

  expect(hidden).toContain(redacted);
  if (wanted !== undefined) expect(hidden).toBe(wanted);
  for (const part of [key, base64(key).slice(4, -4), encodeURIComponent(key).slice(0, 12)])
    expect(hidden).not.toContain(part);
});

test.each([["An ordinary message about input[3] and sk-proj."], [`${key.slice(0, -4)}-another`], [""]])(
  "%j stays as it is",
  (text) => {
    expect(filter.hide(text)).toBe(text);
  },
);

describe("short secrets", () => {
  const short = new SecretFilter(["12345", "hunter", "654321", "changeme"]);

  test("of fewer than six letters are not hidden", () => {
    expect(short.hide("status 12345")).toBe("status 12345");
  });

  test("of fewer than sixteen are hidden as whole words alone", () => {
    expect(short.hide("the hunters of hunter")).toBe(`the hunters of ${redacted}`);
    expect(short.hide("1654321 _hunter_ x=changeme")).toBe(`1654321 _${redacted}_ x=${redacted}`);
  });

  test("do not break the numbers of a JSON document", () => {
    const json = JSON.stringify({ bytes: 654321, text: "a\nhunter", hunter: ["654321"] });

    expect(JSON.parse(short.hideInJson(json))).toEqual({
      bytes: 654321,
      text: `a\n${redacted}`,
      [redacted]: [redacted],
    });
  });
});

test("a secret with letters that JSON escapes is hidden in a document", () => {
  const quoted = new SecretFilter(['pass"word\\0123456789']);

  expect(quoted.hideInJson(JSON.stringify({ text: 'x pass"word\\0123456789' }))).toBe(
    JSON.stringify({ text: `x ${redacted}` }),
  );
});

test("a part of a long secret is hidden", () => {
  const token = Array.from({ length: 40 }, (_, index) => `${index * 7919}`.padStart(6, "z")).join("");
  const long = new SecretFilter([token]);

  expect(long.hide(`Bearer ${token}`)).toBe(`Bearer ${redacted}`);
  expect(long.hide(`Bearer ${token.slice(0, 128)}...`)).toBe(`Bearer ${redacted}...`);
});

test("a private key's lines are hidden one by one, and those of every key file are not", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
  const pem = new SecretFilter([`-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`]);

  expect(pem.hide(`-----BEGIN PRIVATE KEY-----\n${line}`)).toBe(`-----BEGIN PRIVATE KEY-----\n${redacted}`);
});

test("keys that a gateway has created are hidden by their form", () => {
  for (const prefix of ["mg_", "mg_admin_", "mg_session_", "mg_local_"] as const)
    expect(new SecretFilter().hide(`model ${createKeyText(prefix)} of mg_x`)).toBe(
      `model ${redacted} of mg_x`,
    );
});

test("a secret is learned at run time, and the last configuration's secrets stay known", () => {
  const changing = new SecretFilter(["first-secret-0123"]);
  changing.learn("issued-token-0123");
  changing.configure(["second-secret-0123"]);
  changing.configure(["third-secret-0123"]);

  expect(changing.hide("first-secret-0123 issued-token-0123 second-secret-0123 third-secret-0123")).toBe(
    Array(4).fill(redacted).join(" "),
  );
});

test("of the learned secrets, the oldest are forgotten", () => {
  const changing = new SecretFilter(["configured-secret-0123"]);
  for (let number = 0; number <= 10_000; number += 1) changing.learn(`issued-token-${number}-of-many`);

  expect(changing.hide("configured-secret-0123 issued-token-10000-of-many")).toBe(`${redacted} ${redacted}`);
  expect(changing.hide("issued-token-0-of-many")).toBe("issued-token-0-of-many");
});

test("each of ten thousand keys with one beginning is found", () => {
  const keys = Array.from(
    { length: 10_000 },
    (_, index) => `sk-proj-AAAAAAAA-${(index * 7919).toString(36)}-key`,
  );
  const many = new SecretFilter(keys);

  for (const index of [0, 1, 4711, 9999])
    expect(many.hide(`with ${keys[index]} ok`)).toBe(`with ${redacted} ok`);
});
