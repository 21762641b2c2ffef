import { expect, test } from "vitest";
import { load } from "../test/load-text.js";

const secretsOf = (text: string, environment: Record<string, string> = {}) =>
  [...load(text, environment).secrets].sort();

test("every secret in a configuration is found, at any depth", () => {
  const secrets = secretsOf(
    `
keys: [{ name: a, key: caller-key-0123456789 }]
adminKey: admin-key-0123456789
keySecret: a-key-secret-of-thirty-two-letters
redisUrl: redis://:redis-password@localhost:6379
databaseUrl: postgres://gateway:post%2Fgres@localhost/db
webhooks: [{ url: "https://hooks.example/services/path-secret", secret: whsec_${Buffer.alloc(32, 7).toString("base64")} }]
upstreams:
  one:
    provider: openai
    apiKey: upstream-key
    proxy: http://user:proxy-password@proxy:3128
    headers: { x-org: org-secret, user-agent: my-client, x-basic: "Basic ${Buffer.from("u:basic-password").toString("base64")}" }
  two: { provider: openai-compatible, baseUrl: "https://host.example/v1?code=query-secret", apiKey: two }
models: {}
`,
  );

  expect(secrets).toEqual(
    expect.arrayContaining([
      "caller-key-0123456789",
      "admin-key-0123456789",
      "a-key-secret-of-thirty-two-letters",
      "redis-password",
      "post/gres",
      "services/path-secret",
      Buffer.alloc(32, 7).toString("base64"),
      "upstream-key",
      "proxy-password",
      "org-secret",
      "basic-password",
      "query-secret",
    ]),
  );
  for (const text of ["my-client", "user", "Basic", "proxy", "openai-compatible", "host.example"])
    expect(secrets).not.toContain(text);
});

test("environment values are secret, unless their key is one that is shown", () => {
  const secrets = secretsOf(
    `
keys: [{ name: "\${CALLER_NAME}", key: "\${CALLER_KEY}" }]
upstreams:
  one: { provider: openai-compatible, baseUrl: "https://\${UPSTREAM_HOST}/\${PATH_KEY}/v1" }
models:
  m: { type: embedding, dimensions: 4, targets: [{ upstream: one, model: "\${MODEL_NAME}" }] }
`,
    {
      CALLER_NAME: "a-caller",
      CALLER_KEY: "caller-key-0123456789",
      UPSTREAM_HOST: "upstream.example",
      PATH_KEY: "path-key-0123",
      MODEL_NAME: "a-model-name",
    },
  );

  expect(secrets).toEqual(["caller-key-0123456789", "path-key-0123"]);
});

test("a key that equals its upstream's or model's name is a word, and not a secret", () => {
  const secrets = secretsOf(`
keys: [{ name: a, key: caller-key-0123456789 }]
upstreams: { local-llm: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1", apiKey: local-llm } }
models: {}
`);

  expect(secrets).toEqual(["caller-key-0123456789"]);
});

test("an upstream whose name reads like a secret's has no other secrets for it", () => {
  const secrets = secretsOf(`
keys: [{ name: a, key: caller-key-0123456789 }]
upstreams: { my-token: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1", timeoutMs: 1000 } }
models: { the-secret: { type: embedding, dimensions: 4, targets: [{ upstream: my-token, model: some-model }] } }
`);

  expect(secrets).toEqual(["caller-key-0123456789"]);
});
