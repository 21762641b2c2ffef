import { expect, test } from "vitest";
import { settleEntry } from "./settle-entry.js";

function settle(entry: Record<string, unknown>, present?: Record<string, unknown>) {
  const stored: Record<string, string> = {};
  const settled = settleEntry(entry, {
    path: "upstreams.u",
    present,
    store: (secret, setting) => {
      const name = `S_${setting.toUpperCase().replaceAll("-", "_")}`;
      stored[name] = secret;
      return name;
    },
  });
  return { settled, stored };
}

test("secrets are stored wherever they are, and all else is written", () => {
  const { settled, stored } = settle({
    provider: "openai",
    apiKey: "sk-1",
    headers: { "x-key": "sk-2", "user-agent": "me" },
    proxy: "http://user:sk-3@proxy:1",
    baseUrl: "https://host.example/v1",
    timeoutMs: 5,
    tls: { ca: "./ca.pem", key: "./key.pem" },
    tokens: ["a"],
  });

  expect(settled).toEqual({
    provider: "openai",
    apiKey: "${S_APIKEY}",
    headers: { "x-key": "${S_X_KEY}", "user-agent": "me" },
    proxy: "${S_PROXY}",
    baseUrl: "https://host.example/v1",
    timeoutMs: 5,
    tls: { ca: "./ca.pem", key: "./key.pem" },
    tokens: ["a"],
  });
  expect(stored).toEqual({ S_APIKEY: "sk-1", S_X_KEY: "sk-2", S_PROXY: "http://user:sk-3@proxy:1" });
});

test("a private key as text is stored, and a reference stays as it is", () => {
  const pem = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n";
  const { settled, stored } = settle({
    apiKey: "${OPENAI_API_KEY}",
    headers: { authorization: "Bearer ${TOKEN}" },
    tls: { key: pem },
  });

  expect(settled).toEqual({
    apiKey: "${OPENAI_API_KEY}",
    headers: { authorization: "Bearer ${TOKEN}" },
    tls: { key: "${S_KEY}" },
  });
  expect(stored).toEqual({ S_KEY: pem });
});

test("a text with a reference inside is a secret: it may be a key that happens to have one", () => {
  expect(settle({ apiKey: "sk-${x}-1" })).toEqual({
    settled: { apiKey: "${S_APIKEY}" },
    stored: { S_APIKEY: "sk-${x}-1" },
  });
});

test("values that come back as they were shown stay as the file has them", () => {
  const present = {
    provider: "openai",
    apiKey: "sk-plain",
    headers: { a: "${A}" },
    baseUrl: "https://u:p@host/v1?code=c",
    tls: { key: "k.pem", ca: "old.pem" },
  };

  const { settled, stored } = settle(
    {
      provider: "openai",
      apiKey: "(set)",
      headers: "(set)",
      baseUrl: "https://(set)@host/v1?(set)",
      tls: { key: "(set)", ca: "new.pem" },
    },
    present,
  );

  expect(settled).toEqual({ ...present, tls: { key: "k.pem", ca: "new.pem" } });
  expect(stored).toEqual({});
});

test("a placeholder that stands for nothing is refused", () => {
  expect(() => settle({ headers: { a: "(set)" } }, { headers: { b: "x" } })).toThrow(
    "Invalid 'upstreams.u.headers.a': the file has no such value to keep.",
  );
});

test.each(["${file:/etc/passwd}", "${vault:secret/gateway#openai}", "Bearer ${aws-secret:prod}"])(
  "%s is not added from outside the file, and stays where the file has it",
  (reference) => {
    expect(() => settle({ provider: "openai", apiKey: reference })).toThrow("upstreams.u.apiKey");
    expect(() => settle({ provider: "openrouter", federation: { policyId: reference } })).toThrow(
      "upstreams.u.federation.policyId",
    );
    expect(settle({ apiKey: reference }, { apiKey: reference }).settled).toEqual({ apiKey: reference });
  },
);
