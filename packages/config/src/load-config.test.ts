import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "./load-config.js";
import { digest } from "./resolve.js";
import { faultsOf, load, minimal, providerNames } from "./test/load-text.js";

test("a model may have retries and hedging", () => {
  const config = load(`
upstreams: { local: { provider: local } }
models:
  by-time: { type: embedding, retries: { max: 0 }, hedge: { afterMs: 80 }, targets: [{ upstream: local, model: gte-small }] }
  by-rank: { type: embedding, hedge: { percentile: 95, maxPercent: 2 }, targets: [{ upstream: local, model: gte-small }] }
`);

  expect(config.models.get("by-time")).toMatchObject({
    retries: { max: 0 },
    hedge: { afterMs: 80, maxPercent: 5 },
  });
  expect(config.models.get("by-rank")).toMatchObject({ hedge: { percentile: 95, maxPercent: 2 } });
});

test("by default a model with several targets has time for a second attempt", () => {
  const config = load(`
upstreams:
  swift: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9000/v1", timeoutMs: 2000 }
  slow: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9001/v1", timeoutMs: 9000 }
  usual: { provider: openai }
models:
  single: { type: embedding, targets: [{ upstream: swift, model: m }] }
  several: { type: embedding, targets: [{ upstream: swift, model: m }, { upstream: slow, model: m }] }
  usual: { type: embedding, targets: [{ upstream: swift, model: m }, { upstream: usual, model: m }] }
  image: { type: image, targets: [{ upstream: usual, model: m }] }
  images: { type: image, targets: [{ upstream: slow, model: m }, { upstream: usual, model: m }] }
  configured: { type: embedding, deadlineMs: 700, targets: [{ upstream: swift, model: m }] }
`);

  expect([...config.models.values()].map(({ id, deadlineMs }) => [id, deadlineMs])).toEqual([
    ["single", 2000],
    ["several", 18_000],
    ["usual", 120_000],
    ["image", 300_000],
    ["images", 600_000],
    ["configured", 700],
  ]);
});

test("an exported GATEWAY_KEY that a file without keys does not name causes a warning with the line to add", () => {
  const line = `keys: [{ name: environment, key: "\${GATEWAY_KEY}" }]`;
  const warned = [
    `gateway.yaml has no keys, so the value of GATEWAY_KEY is not one of this gateway's API keys. To make it one, add this line to the file: ${line}`,
  ];

  expect(load(minimal, { GATEWAY_KEY: "a-key-of-some-length" }).warnings).toEqual(warned);
  expect(load(minimal, { GATEWAY_KEY_FILE: "/run/secrets/gateway-key" }).warnings).toEqual(warned);
  expect(load(minimal).warnings).toEqual([]);
  expect(load(`${line}${minimal}`, { GATEWAY_KEY: "a-key-of-some-length" })).toMatchObject({
    warnings: [],
    keys: [{ key: { name: "environment" } }],
  });
});

test("an image model cannot have hedging", () => {
  const faults = faultsOf(`
upstreams: { local: { provider: local } }
models: { m: { type: image, hedge: { afterMs: 80 }, targets: [{ upstream: local, model: local-sketch }] } }
`);

  expect(faults).toEqual([expect.stringContaining("models.m.hedge: is not a known key")]);
});

test("a file is resolved to keys, upstreams and models", () => {
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
    hasKey: true,
    allowPrivateUrls: false,
    timeoutMs: 60000,
    settings: {
      provider: "openai",
      baseUrl: "https://api.openai.com/v1",
      apiKey: "sk-up",
      discover: false,
      discoverEveryMs: 600_000,
      allowPrivateUrls: false,
      timeoutMs: 60000,
    },
  });
  expect(config.models.get("text-embedding-3-small")).toEqual({
    id: "text-embedding-3-small",
    type: "embedding",
    unitVectors: true,
    deadlineMs: 60_000,
    space: "text-embedding-3-small@1536",
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
        maxCharactersPerRequest: Number.POSITIVE_INFINITY,
        takesUser: true,
        normalizes: false,
        capacity: {},
        dimensions: "pass",
        price: { perMillionTokens: 0.02 },
        isListPrice: true,
        facts: expect.objectContaining({ dimensions: 1536, takes_dimensions: true }),
        factsFrom: expect.objectContaining({ entry: "text-embedding-3-small", state: "known" }),
      },
    ],
    maxTokens: 8192,
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
  b: { provider: unknown }
models:
  m:
    type: embedding
    dimension: 8
    maxInputs: 0
    targets:
      - { upstream: nowhere, model: x }
`);

  expect(faults).toEqual([
    "gateway.yaml:2:23  the environment variable MISSING is not set; set it, or write $${MISSING} for the literal text",
    "gateway.yaml:3:5  keys[1]: needs either key or sha256, and not both",
    "gateway.yaml:3:49  keys[1].sha256: must be a SHA-256 digest of 64 hexadecimal digits",
    "gateway.yaml:5:46  upstreams.a.baseUrl: must be an http or https URL",
    `gateway.yaml:6:18  upstreams.b.provider: must be one of: ${providerNames}`,
    "gateway.yaml:10:16  models.m.dimension: is not a known key; did you mean dimensions?",
    "gateway.yaml:11:16  models.m.maxInputs: must be more than 0",
    'gateway.yaml:13:21  models.m.targets[0].upstream: there is no upstream "nowhere"; use one of: a, b',
  ]);
});

test("a fault in a value from the environment names its variable", () => {
  const faults = faultsOf(`keys: [{ name: app, key: "\${APP_KEY}" }]${minimal}`, { APP_KEY: "short" });

  expect(faults).toEqual(["gateway.yaml:1:26  keys[0].key, from APP_KEY: must have at least 8 characters"]);
});

test("missing quotes around variables inside braces are one fault each, and the rest of the file is checked", () => {
  const faults = faultsOf(
    `
keys: [{ name: app, key: \${APP_KEY} }]
upstreams:
  one: { provider: openai, apiKey: \${OPENAI_API_KEY}, timeoutMs: 60000 }
  two: { provider: cohere, apiKey: "\${MISSING}", headers: { x-team: team \${TEAM} } }
  three: { provider: openai }
models:
  m: { type: embedding, dimensions: none, targets: [{ upstream: one, model: x }] }
`,
    { OPENAI_API_KEY: "sk-0123456789" },
  );

  expect(faults).toEqual([
    'gateway.yaml:2:26  a value with ${APP_KEY} needs quotes inside { } and [ ]: "${APP_KEY}"',
    'gateway.yaml:4:36  a value with ${OPENAI_API_KEY} needs quotes inside { } and [ ]: "${OPENAI_API_KEY}"',
    "gateway.yaml:5:36  the environment variable MISSING is not set; set it, or write $${MISSING} for the literal text",
    'gateway.yaml:5:69  a value with ${TEAM} needs quotes inside { } and [ ]: "${TEAM}"',
    "gateway.yaml:8:37  models.m.dimensions: must be a number",
  ]);
});

test("a model may have limits for all callers together", () => {
  const config = load(minimal.replace("type: embedding", "type: embedding, limits: { tokensPerMinute: 9 }"));

  expect(config.models.get("m")?.limits).toEqual({ tokensPerMinute: 9 });
  expect(load(minimal).models.get("m")?.limits).toBeUndefined();
});

test("targets of different vector spaces are refused, unless they declare the same space", () => {
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
    'gateway.yaml:9:9  models.m.targets[1]: its vector space is "two@8", but the first target has "one@8"; vectors of different spaces cannot be compared. If both targets serve the same model, set the same space on both',
  ]);
  expect(faultsOf(model(", space: one@8"))).toEqual([]);
});

test("matryoshka and a cache need the width of the model", () => {
  const file = `
upstreams: { u: { provider: openai } }
models: { m: { type: embedding, matryoshka: true, cache: { ttl: 1h }, targets: [{ upstream: u, model: x }] } }`;

  expect(faultsOf(file)).toEqual([
    "gateway.yaml:3:45  models.m.matryoshka: needs dimensions; set dimensions to the width of the model's vectors",
    "gateway.yaml:3:58  models.m.cache: needs dimensions; set dimensions to the width of the model's vectors",
  ]);
});

test("a cache has its TTL; models on local have one by default", () => {
  const cacheOf = (provider: string, cache: string) => {
    const model = load(`
upstreams: { u: { provider: ${provider} } }
models: { m: { type: embedding, dimensions: 384, ${cache} targets: [{ upstream: u, model: gte-small }] } }`).models.get(
      "m",
    );
    return model?.type === "embedding" ? model.cache : "no embedding model";
  };

  expect(cacheOf("openai", "cache: { ttl: 15m },")).toEqual({ ttlMs: 900_000, countTokens: true });
  expect(cacheOf("openai", "")).toBeUndefined();
  expect(cacheOf("local", "")).toEqual({ ttlMs: 86_400_000, countTokens: true });
  expect(cacheOf("local", "cache: false,")).toBeUndefined();
});

test("single requests are kept for ever, or for a time of at least a day", () => {
  expect(load(minimal)).not.toHaveProperty("retention");
  expect(load(`retention: {}\n${minimal}`)).not.toHaveProperty("retention");
  expect(load(`retention: { requests: 90d }\n${minimal}`).retention).toEqual({ requestsMs: 7_776_000_000 });
  expect(load(`retention: { requests: 24h }\n${minimal}`).retention).toEqual({ requestsMs: 86_400_000 });
  expect(faultsOf(`retention: { requests: 23h }\n${minimal}`)).toEqual([
    "gateway.yaml:1:24  retention.requests: must be at least 1d",
  ]);
});

test("a YAML syntax fault has its line", () => {
  expect(faultsOf("models: [\nx: }")[0]).toMatch(/^gateway.yaml:2:\d+ {2}invalid YAML: .*[^:]$/);
});

test("a fault inside a value of several shapes is reported with its path", () => {
  const file = minimal.replace("type: embedding", "type: embedding, dimensions: 384, cache: { ttl: 5 }");

  expect(faultsOf(file)[0]).toMatch(/models\.m\.cache\.ttl: must be text$/);
});

test("an empty file is a fault, not a default", () => {
  expect(faultsOf("")).toEqual([
    "gateway.yaml  the file must be a mapping with the keys upstreams and models",
  ]);
});

test("the environment overrides the file, and its faults are reported like the file's", () => {
  const environment = { HOST: "0.0.0.0", PORT: "9999", LOG_LEVEL: "debug", DATA_DIR: "/var/lib/gateway" };

  expect(load(`port: 1\n${minimal}`, environment)).toMatchObject({
    host: "0.0.0.0",
    port: 9999,
    logLevel: "debug",
    dataDir: "/var/lib/gateway",
  });
  expect(faultsOf(minimal, { PORT: "http" })[0]).toBe("the environment variable PORT: must be a number");
});

test("trusted proxies are addresses and ranges, in the file or between commas in the environment", () => {
  const file = `trustedProxies: [10.0.0.0/8, "::1"]\n${minimal}`;

  expect(load(minimal).trustedProxies).toEqual([]);
  expect(load(file).trustedProxies).toEqual(["10.0.0.0/8", "::1"]);
  expect(load(file, { TRUSTED_PROXIES: "127.0.0.1, fd00::/8" }).trustedProxies).toEqual([
    "127.0.0.1",
    "fd00::/8",
  ]);
});

test.each(["proxy", "10.0.0.0/33", "0.0.0.0/0", "::/0", "10.0.0.1,"])(
  "%j is not a list of proxies",
  (proxies) => {
    expect(faultsOf(minimal, { TRUSTED_PROXIES: proxies })).toEqual([
      "the environment variable TRUSTED_PROXIES: must be an IP address or a CIDR range, such as 10.0.0.0/8",
    ]);
  },
);

test("`$${NAME}` is the literal text `${NAME}`", () => {
  const config = load(
    minimal.replace("type: embedding", () => 'type: embedding, description: "costs $${X}"'),
  );

  expect(config.models.get("m")?.description).toBe("costs ${X}");
});

test("a key in plain text works, and causes a warning", () => {
  expect(load(`keys: [{ name: dev, key: plain-text-key }]\n${minimal}`).warnings).toEqual([
    'The key "dev" is in the configuration file as plain text. Use ${NAME} or sha256 instead.',
  ]);
});

test("the admin key and the key secret come from the file or the environment; of the admin key only the digest is kept", () => {
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
    "adminKey is in the configuration file as plain text. Use ${NAME} instead.",
    "keySecret is in the configuration file as plain text. Use ${NAME} instead.",
  ]);
});

test("a secret that is too short is refused and not printed", () => {
  const environment = {
    GATEWAY_ADMIN_KEY: "too-short",
    GATEWAY_KEY_SECRET: "short-too",
    DATABASE_URL: "mysql://a:b@c",
  };

  const faults = faultsOf(minimal, environment);

  expect(faults).toEqual([
    expect.stringMatching(/^the environment variable DATABASE_URL: must be a postgres URL/),
    "the environment variable GATEWAY_ADMIN_KEY: must have at least 16 characters",
    "the environment variable GATEWAY_KEY_SECRET: must have at least 32 characters",
  ]);
  expect(faults.join()).not.toMatch(/too-short|short-too|mysql/);
});

test("without a file the embedded models are served", () => {
  const config = loadConfig({ environment: {}, workingDirectory: mkdtempSync(join(tmpdir(), "empty-")) });

  expect([...config.models.keys()]).toEqual(["gte-small", "all-MiniLM-L6-v2", "local-sketch"]);
});

test("a file that is named and does not exist is a fault", () => {
  expect(() => loadConfig({ path: "none.yaml", environment: {}, workingDirectory: tmpdir() })).toThrow(
    "none.yaml: the file does not exist; correct the path in --config or GATEWAY_CONFIG",
  );
});

test("relative paths start at the folder of the file", () => {
  const folder = mkdtempSync(join(tmpdir(), "config-"));
  writeFileSync(
    join(folder, "gateway.yaml"),
    minimal.replace("provider: local", "provider: local, modelFolders: { mine: ./models/mine }"),
  );

  const config = loadConfig({ path: join(folder, "gateway.yaml"), environment: {}, workingDirectory: "/" });

  expect(config.upstreams.get("local")).toMatchObject({
    settings: { modelFolders: { mine: join(folder, "models/mine") } },
  });
  expect(config.dataDir).toBe(join(folder, "data"));
});

test("a webhook has all events and three shares by default, and its secret may have the prefix of the standard", () => {
  const bytes = Buffer.alloc(32, 7);
  const { webhooks, warnings } = load(
    `${minimal}
webhooks:
  - { url: "http://10.0.0.1/hook", secret: "\${HOOK}" }
  - { url: "https://hooks.example/", secret: "whsec_${bytes.toString("base64")}", events: [budget], budgetShares: [1, 0.25, 1] }`,
    { HOOK: bytes.toString("base64") },
  );

  expect(webhooks).toEqual([
    {
      url: "http://10.0.0.1/hook",
      secret: bytes,
      events: ["budget", "target"],
      budgetShares: [0.5, 0.8, 1],
    },
    { url: "https://hooks.example/", secret: bytes, events: ["budget"], budgetShares: [0.25, 1] },
  ]);
  expect(warnings.filter((warning) => warning.includes("webhook"))).toEqual([
    'The secret of the webhook at "hooks.example" is in the configuration file as plain text. Use ${NAME} instead.',
  ]);
});

test.each([
  ['{ url: "ftp://x/", secret: S }', "webhooks[0].url"],
  ['{ url: "https://user:password@x/", secret: S }', "webhooks[0].url"],
  ['{ url: "https://x/", secret: "too-short" }', "webhooks[0].secret"],
  ['{ url: "https://x/", secret: S, events: [] }', "webhooks[0].events"],
  ['{ url: "https://x/", secret: S, budgetShares: [1.5] }', "webhooks[0].budgetShares[0]"],
])("a webhook %s is refused, and the fault names its field and no secret", (webhook, field) => {
  const faults = faultsOf(
    `${minimal}\nwebhooks: [${webhook.replace("S", Buffer.alloc(32).toString("base64"))}]`,
  );

  expect(faults).toEqual([expect.stringContaining(`${field}: `)]);
  expect(faults.join()).not.toMatch(/too-short|password/);
});

test("without a file, GATEWAY_KEY is the callers' key, and a file has its own keys", () => {
  const workingDirectory = mkdtempSync(join(tmpdir(), "config-"));
  const environment = { GATEWAY_KEY: "exported-0123456789" };

  const without = loadConfig({ environment, workingDirectory });
  const withFile = load(minimal, environment);

  expect(without.keys.map(({ key: { id }, sha256 }) => [id, sha256])).toEqual([
    ["config:environment", digest("exported-0123456789")],
  ]);
  expect(without.warnings).toEqual([]);
  expect(without.text).not.toContain("exported");
  expect(withFile.keys).toEqual([]);
});

test("without a file, GATEWAY_KEY may come from a separate file, and is checked", () => {
  const workingDirectory = mkdtempSync(join(tmpdir(), "config-"));
  writeFileSync(join(workingDirectory, "key"), "mounted-0123456789\n");

  const mounted = loadConfig({ environment: { GATEWAY_KEY_FILE: "key" }, workingDirectory });

  expect(mounted.keys.map(({ sha256 }) => sha256)).toEqual([digest("mounted-0123456789")]);
  // There is no file to correct: the message names what the operator has set.
  expect(() => loadConfig({ environment: { GATEWAY_KEY: "short" }, workingDirectory })).toThrow(
    "The configuration has an error:\n  the environment variable GATEWAY_KEY: must have at least 8 characters",
  );
});

test("faults of the schema, of rules and of references are reported together, even within one upstream", () => {
  const faults = faultsOf(`
port: nope
port: 8080
workers: 4
upstreams:
  one: { provider: openai, apiKey: a-secret-key, timeoutMs: fast, headers: { Authorization: x } }
  two: { provider: azure, baseUrl: "https://a.example", unknown: 1 }
models:
  m: { type: embedding, dimensions: none, targets: [{ upstream: three, model: x }] }
`);

  expect(faults.map((fault) => fault.replace(/^\S+\s+/, "").replace(/;.*/, ""))).toEqual([
    "invalid YAML: the key is there already, earlier in the same mapping",
    "workers: 4 workers share keys, limits and budgets through PostgreSQL and Redis",
    "upstreams.one.timeoutMs: must be a number",
    "upstreams.one.headers.Authorization: is sent for apiKey already",
    "upstreams.two.apiKey: is required, unless entra says how to authenticate",
    "upstreams.two.unknown: is not a known key",
    "models.m.dimensions: must be a number",
    'models.m.targets[0].upstream: there is no upstream "three"',
  ]);
});
