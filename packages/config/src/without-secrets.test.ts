import { readFileSync } from "node:fs";
import { isObject } from "@model-gateway/runtime/json";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { entriesWithoutSecrets, withoutSecrets } from "./without-secrets.js";

const hide = (text: string, overrides = {}): unknown => parse(withoutSecrets(text, overrides));

test("secrets are replaced wherever they are, and all else stays", () => {
  const text = `
adminKey: the-admin-key
databaseUrl: postgres://user:the-password@host/gateway?sslkey=the-key
keys: [{ name: a, key: the-key, limits: { tokensPerMinute: 5 } }, { name: b, sha256: "00" }]
upstreams:
  one: { provider: openai, apiKey: the-key, headers: { x-secret: the-header }, timeoutMs: 5000 }
models:
  m: { type: embedding, tokenizer: cl100k_base, price: { perMillionTokens: 2 } }
webhooks: [{ url: "https://hooks.example/a?token=the-token", secret: the-secret }]
`;

  expect(hide(text)).toEqual({
    adminKey: "(set)",
    databaseUrl: "postgres://(set)@host/gateway?(set)",
    keys: [
      { name: "a", key: "(set)", limits: { tokensPerMinute: 5 } },
      { name: "b", sha256: "(set)" },
    ],
    upstreams: { one: { provider: "openai", apiKey: "(set)", headers: "(set)", timeoutMs: 5000 } },
    models: { m: { type: "embedding", tokenizer: "cl100k_base", price: { perMillionTokens: 2 } } },
    webhooks: [{ url: "https://hooks.example/(set)", secret: "(set)" }],
  });
});

test("a value from the environment is shown by the name of its variable", () => {
  expect(hide("upstreams: { one: { baseUrl: '${ADDRESS}', apiKey: '${KEY}' } }")).toEqual({
    upstreams: { one: { baseUrl: "${ADDRESS}", apiKey: "(set)" } },
  });
});

test("values from environment variables are shown as they are in force", () => {
  expect(hide("port: 1\nhost: a", { port: 2, keySecret: "the-secret" })).toEqual({
    port: 2,
    host: "a",
    keySecret: "(set)",
  });
});

test("a private key is hidden under any name, and so is a URL that cannot be read", () => {
  const pem = "-----BEGIN PRIVATE KEY-----\nthe-key\n-----END PRIVATE KEY-----\n";

  expect(hide(JSON.stringify({ a: pem, b: "redis://:the-password@[" }))).toEqual({ a: "(set)", b: "(set)" });
});

test("every key of the schema that holds a secret is hidden", () => {
  const schema: unknown = JSON.parse(
    readFileSync(new URL("../../../apps/gateway/generated/config.schema.json", import.meta.url), "utf8"),
  );
  const names = [...new Set(secretsIn(schema))];
  const file = Object.fromEntries(names.map((name) => [name, "the-secret"]));

  expect(names).toEqual(expect.arrayContaining(["adminKey", "apiKey", "secretAccessKey", "password"]));
  expect(hide(JSON.stringify(file))).toEqual(Object.fromEntries(names.map((name) => [name, "(set)"])));
});

/** The keys whose descriptions mention a secret. */
function secretsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(secretsIn);
  if (!isObject(node)) return [];
  const properties = isObject(node.properties) ? Object.entries(node.properties) : [];
  const own = properties.filter(
    ([, property]) => isObject(property) && isSecret(String(property.description)),
  );
  return [...own.map(([name]) => name), ...Object.values(node).flatMap(secretsIn)];
}

function isSecret(description: string): boolean {
  return /from the environment|\$\{NAME\}|session token|HMAC|key of the admin API/.test(description);
}

test("the entries of a file have no secret, and their names are never taken for one", () => {
  const text = `
upstreams:
  my-token: { provider: openai, apiKey: "\${OPENAI_API_KEY}", proxy: "http://u:the-password@proxy" }
models: { api-key: { type: embedding } }
`;

  expect(entriesWithoutSecrets(text)).toEqual({
    upstreams: { "my-token": { provider: "openai", apiKey: "(set)", proxy: "http://(set)@proxy/" } },
    models: { "api-key": { type: "embedding" } },
  });
});
