import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "./load-config.js";
import { digest } from "./resolve.js";
import { faultsOf, load, minimal } from "./test/load-text.js";

test("a model may say how often it is tried again, and when a second target is asked", () => {
  const config = load(`
upstreams: { local: { provider: local } }
models:
  by-time: { type: embedding, retries: { max: 0 }, hedge: { afterMs: 80 }, targets: [{ upstream: local, model: m }] }
  by-rank: { type: embedding, hedge: { percentile: 95, maxPercent: 2 }, targets: [{ upstream: local, model: m }] }
`);

  expect(config.models.get("by-time")).toMatchObject({
    retries: { max: 0 },
    hedge: { afterMs: 80, maxPercent: 5 },
  });
  expect(config.models.get("by-rank")).toMatchObject({ hedge: { percentile: 95, maxPercent: 2 } });
});

test("images are never asked for twice at once", () => {
  const faults = faultsOf(`
upstreams: { local: { provider: local } }
models: { m: { type: image, hedge: { afterMs: 80 }, targets: [{ upstream: local, model: m }] } }
`);

  expect(faults).toEqual([expect.stringContaining("models.m.hedge: is not a known key")]);
});

test("a file says everything that the gateway runs on", () => {
  const config = load(
    `
keys:
  - { name: dev, key: "\${GATEWAY_KEY}" }
  - { name: ops, sha256: ${digest("ops-key").toString("hex")} }
upstreams:
  openai: { provider: openai, apiKey: "\${OPENAI_API_KEY}", timeoutMs: 60000 }
  shed: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9000/v1" }
models:
  text-embedding-3-small:
    type: embedding
    dimensions: 1536
    matryoshka: true
    targets: [{ upstream: openai, model: text-embedding-3-small, weight: 3, tier: 1 }]
  gpt-image-2:
    type: image
    profile: gpt-image
    targets: [{ upstream: openai, model: gpt-image-2 }]
`,
    { GATEWAY_KEY: "secret-one", OPENAI_API_KEY: "sk-up" },
  );

  expect(config.keys).toEqual([
    {
      key: { id: "config:dev", name: "dev", limits: {}, isDisabled: false },
      sha256: digest("secret-one"),
    },
    { key: { id: "config:ops", name: "ops", limits: {}, isDisabled: false }, sha256: digest("ops-key") },
  ]);
  expect(config.upstreams.get("openai")).toEqual({
    name: "openai",
    provider: "openai",
    baseUrl: "https://api.openai.com/v1",
    apiKey: "sk-up",
    allowPrivateUrls: false,
    timeoutMs: 60000,
  });
  expect(config.models.get("text-embedding-3-small")).toEqual({
    id: "text-embedding-3-small",
    type: "embedding",
    dimensions: 1536,
    strategy: "fastest",
    matryoshka: true,
    maxInputs: 2048,
    tokenizer: "cl100k_base",
    targets: [
      {
        upstream: "openai",
        model: "text-embedding-3-small",
        weight: 3,
        tier: 1,
        maxInputs: 2048,
        maxTokensPerRequest: 300_000,
        capacity: {},
        dimensions: "pass",
        space: "text-embedding-3-small@1536",
        price: { perMillionTokens: 0.02 },
      },
    ],
  });
  expect(config.models.get("gpt-image-2")).toMatchObject({ type: "image", profile: { name: "gpt-image" } });
  expect(config.warnings).toEqual([]);
});

test("every fault is reported at once, with its line and its path", () => {
  const faults = faultsOf(`keys:
  - { name: dev, key: "\${MISSING}" }
  - { name: both, key: long-enough-key, sha256: abc }
upstreams:
  a: { provider: openai-compatible, baseUrl: not-a-url }
  b: { provider: nobody }
models:
  m:
    type: embedding
    dimension: 8
    maxInputs: 0
    targets:
      - { upstream: nowhere, model: x }
`);

  expect(faults).toEqual([
    "gateway.yaml:2:23  the environment variable MISSING is not set",
    "gateway.yaml:3:5  keys[1]: must have either key or sha256",
    "gateway.yaml:3:49  keys[1].sha256: must be a SHA-256 digest: 64 hexadecimal digits",
    "gateway.yaml:5:46  upstreams.a.baseUrl: must be an http or https URL",
    expect.stringMatching(/^gateway.yaml:6:18 {2}upstreams.b.provider: /),
    "gateway.yaml:10:16  models.m.dimension: is not a known key",
    expect.stringMatching(/^gateway.yaml:11:16 {2}models.m.maxInputs: /),
    'gateway.yaml:13:21  models.m.targets[0].upstream: there is no upstream "nowhere"; the upstreams are: a, b',
  ]);
});

test("a model may be limited for all callers together", () => {
  const config = load(minimal.replace("type: embedding", "type: embedding, limits: { tokensPerMinute: 9 }"));

  expect(config.models.get("m")?.limits).toEqual({ tokensPerMinute: 9 });
  expect(load(minimal).models.get("m")?.limits).toBeUndefined();
});

test("targets of different vector spaces are refused, unless they are said to be equal", () => {
  const model = (space: string) => `
upstreams: { a: { provider: openai }, b: { provider: openai } }
models:
  m:
    type: embedding
    dimensions: 8
    targets:
      - { upstream: a, model: one }
      - { upstream: b, model: two${space} }
`;

  expect(faultsOf(model(""))).toEqual([
    'gateway.yaml:9:9  models.m.targets[1]: its vector space is "two@8", but that of the first target is "one@8"; vectors of two spaces cannot be compared. If they are equal, give both the same space',
  ]);
  expect(faultsOf(model(", space: one@8"))).toEqual([]);
});

test("what depends on the width of a model needs to know it", () => {
  const file = `
upstreams: { u: { provider: openai } }
models: { m: { type: embedding, matryoshka: true, cache: { ttl: 1h }, targets: [{ upstream: u, model: x }] } }`;

  expect(faultsOf(file)).toEqual([
    "gateway.yaml:3:45  models.m.matryoshka: needs dimensions, the native width of the model",
    "gateway.yaml:3:58  models.m.cache: needs dimensions, the native width of the model",
  ]);
});

test("a cache is kept for as long as it says; models on local have one without saying", () => {
  const cacheOf = (provider: string, cache: string) => {
    const model = load(`
upstreams: { u: { provider: ${provider} } }
models: { m: { type: embedding, dimensions: 8, ${cache} targets: [{ upstream: u, model: x }] } }`).models.get(
      "m",
    );
    return model?.type === "embedding" ? model.cache : "no embedding model";
  };

  expect(cacheOf("openai", "cache: { ttl: 15m },")).toEqual({ ttlMs: 900_000, countTokens: true });
  expect(cacheOf("openai", "")).toBeUndefined();
  expect(cacheOf("local", "")).toEqual({ ttlMs: 86_400_000, countTokens: true });
  expect(cacheOf("local", "cache: false,")).toBeUndefined();
});

test("a fault of YAML itself has its line too", () => {
  expect(faultsOf("models: [\nx: }")[0]).toMatch(/^gateway.yaml:2:\d+ {2}/);
});

test("a fault inside a value of several shapes is told where it is", () => {
  const file = minimal.replace("type: embedding", "type: embedding, dimensions: 8, cache: { ttl: 5 }");

  expect(faultsOf(file)[0]).toMatch(/models\.m\.cache\.ttl: /);
});

test("an empty file is a fault, not a default", () => {
  expect(faultsOf("")).not.toEqual([]);
});

test("the environment overrides the file, and its faults are reported like those of the file", () => {
  const environment = { HOST: "0.0.0.0", PORT: "9999", LOG_LEVEL: "debug", DATA_DIR: "/var/lib/gateway" };

  expect(load(`port: 1\n${minimal}`, environment)).toMatchObject({
    host: "0.0.0.0",
    port: 9999,
    logLevel: "debug",
    dataDir: "/var/lib/gateway",
  });
  expect(faultsOf(minimal, { PORT: "http" })[0]).toMatch(/^the environment variable PORT: /);
});

test("an escaped dollar stays what it is", () => {
  const config = load(
    minimal.replace("type: embedding", () => 'type: embedding, description: "costs $${X}"'),
  );

  expect(config.models.get("m")?.description).toBe("costs ${X}");
});

test("a key in plain text works, and is warned of", () => {
  expect(load(`keys: [{ name: dev, key: plain-text-key }]\n${minimal}`).warnings).toEqual([
    'The key "dev" stands in the configuration file as plain text; use ${NAME} or sha256.',
  ]);
});

test("what opens the admin API and digests keys comes from the file or the environment, and is kept as little as can be", () => {
  const [adminKey, keySecret] = ["the-admin-key-of-the-file", "the-secret-of-the-file-that-digests"];
  const databaseUrl = "postgres://gateway:password@db.example:5432/gateway";
  const file = `adminKey: "\${A}"\nkeySecret: "\${S}"\ndatabaseUrl: ${databaseUrl}\n${minimal}`;
  const environment = { A: adminKey, S: keySecret };
  const overrides = {
    GATEWAY_ADMIN_KEY: "another-admin-key",
    GATEWAY_KEY_SECRET: "another-secret-of-32-letters-at-least",
    DATABASE_URL: "postgresql://localhost/other",
  };

  const config = load(file, environment);

  expect(config).toMatchObject({ adminKeySha256: digest(adminKey), keySecret, databaseUrl, warnings: [] });
  expect(load(minimal)).not.toHaveProperty("adminKeySha256");
  expect(load(file, { ...environment, ...overrides })).toMatchObject({
    adminKeySha256: digest("another-admin-key"),
    keySecret: "another-secret-of-32-letters-at-least",
    databaseUrl: "postgresql://localhost/other",
    warnings: [],
  });
  expect(load(`adminKey: ${adminKey}\nkeySecret: ${keySecret}\n${minimal}`).warnings).toEqual([
    "adminKey stands in the configuration file as plain text; use ${NAME}.",
    "keySecret stands in the configuration file as plain text; use ${NAME}.",
  ]);
});

test("a secret that is too short is refused without being told", () => {
  const environment = {
    GATEWAY_ADMIN_KEY: "too-short",
    GATEWAY_KEY_SECRET: "short-too",
    DATABASE_URL: "mysql://a:b@c",
  };

  const faults = faultsOf(minimal, environment);

  expect(faults).toEqual([
    expect.stringMatching(/^the environment variable DATABASE_URL: must be a postgres URL/),
    expect.stringMatching(/^the environment variable GATEWAY_ADMIN_KEY: /),
    expect.stringMatching(/^the environment variable GATEWAY_KEY_SECRET: /),
  ]);
  expect(faults.join()).not.toMatch(/too-short|short-too|mysql/);
});

test("without a file there are the embedded models", () => {
  const config = loadConfig({ environment: {}, workingDirectory: mkdtempSync(join(tmpdir(), "empty-")) });

  expect([...config.models.keys()]).toEqual(["gte-small", "all-MiniLM-L6-v2", "local-sketch"]);
});

test("a file that was asked for and is not there is a fault", () => {
  expect(() => loadConfig({ path: "none.yaml", environment: {}, workingDirectory: tmpdir() })).toThrow(
    "none.yaml: cannot be read: there is no such file",
  );
});

test("relative folders start at the file", () => {
  const folder = mkdtempSync(join(tmpdir(), "config-"));
  writeFileSync(
    join(folder, "gateway.yaml"),
    minimal.replace("provider: local", "provider: local, modelFolders: { mine: ./models/mine }"),
  );

  const config = loadConfig({ path: join(folder, "gateway.yaml"), environment: {}, workingDirectory: "/" });

  expect(config.upstreams.get("local")).toMatchObject({
    modelFolders: { mine: join(folder, "models/mine") },
  });
  expect(config.dataDir).toBe(join(folder, "data"));
});
