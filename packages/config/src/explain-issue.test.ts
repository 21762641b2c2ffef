import { expect, test } from "vitest";
import { faultsOf, minimal, providerNames } from "./test/load-text.js";

test.each([
  ["port: 70000", "port: must be at most 65535"],
  ["logLevel: loud", "logLevel: must be one of: fatal, error, warn, info, debug, trace, silent"],
  ["exposeUpstream: maybe", "exposeUpstream: must be true or false"],
  ["keys: { name: dev }", "keys: must be a list"],
  ['keys: [{ name: "", key: long-enough-key }]', "keys[0].name: must have at least 1 character"],
  [
    "images: { size: 1 }",
    "images.size: is not a known key; known keys: store, linkTtl, storeBytesMax, linkSecret, credentials, provenanceUpstream, labelUnsigned",
  ],
])("%s: the fault suggests a fix", (line, fault) => {
  expect(faultsOf(`${line}\n${minimal}`)).toEqual([expect.stringMatching(/^gateway.yaml:1:\d+ {2}/)]);
  expect(faultsOf(`${line}\n${minimal}`)[0]).toContain(`  ${fault}`);
});

test.each([
  ["cache: true", "models.m.cache: must be false, or a mapping of keys to values"],
  ["hedge: 5", "models.m.hedge: must be a mapping of keys to values"],
  ["targets: []", "models.m.targets: must have at least 1 entry"],
  ["targets: [{ upstream: local }]", "models.m.targets[0].model: is required; it must be text"],
])("%s on a model: the fault suggests a fix", (line, fault) => {
  const file = `
upstreams: { local: { provider: local } }
models: { m: { type: embedding, dimensions: 384, targets: [{ upstream: local, model: gte-small }] } }
`;
  const changed = line.startsWith("targets")
    ? file.replace(/targets: .*\] /, `${line} `)
    : file.replace("dimensions: 384", `dimensions: 384, ${line}`);

  expect(faultsOf(changed)).toEqual([expect.stringContaining(`  ${fault}`)]);
});

test("a provider or a type that does not exist is reported with those that do, and with the rest of the value", () => {
  const faults = faultsOf("upstreams: { u: { provider: none } }\nmodels: { m: { type: none } }");

  expect(faults).toEqual([
    `gateway.yaml:1:29  upstreams.u.provider: must be one of: ${providerNames}`,
    "gateway.yaml:2:14  models.m.targets: is required; it must be a list",
    "gateway.yaml:2:22  models.m.type: must be one of: embedding, image",
  ]);
});

test("a misspelt type or provider hides no other fault: the rest is checked as the likely intent", () => {
  const faults = faultsOf(`upstreams:
  one: { provider: open-ai, timeoutMs: -1, bseUrl: x }
  two: { apiKey: k, bsaeUrl: x }
models:
  m:
    type: embeding
    dimension: 8
    maxInputs: 0
    targets: [{ upstrem: one, model: x }]
  n: { type: nothing, profile: { sizes: 3 }, targets: [{ upstream: one, model: x }] }
`);

  expect(faults).toEqual([
    `gateway.yaml:2:20  upstreams.one.provider: must be one of: ${providerNames}; did you mean openai?`,
    "gateway.yaml:2:40  upstreams.one.timeoutMs: must be more than 0",
    "gateway.yaml:2:52  upstreams.one.bseUrl: is not a known key; did you mean baseUrl?",
    `gateway.yaml:3:8  upstreams.two.provider: is required; it must be one of: ${providerNames}`,
    "gateway.yaml:3:30  upstreams.two.bsaeUrl: is not a known key; did you mean baseUrl?",
    "gateway.yaml:6:11  models.m.type: must be one of: embedding, image; did you mean embedding?",
    "gateway.yaml:7:16  models.m.dimension: is not a known key; did you mean dimensions?",
    "gateway.yaml:8:16  models.m.maxInputs: must be more than 0",
    "gateway.yaml:9:15  models.m.targets[0].upstream: is required; it must be text",
    "gateway.yaml:9:26  models.m.targets[0].upstrem: is not a known key; did you mean upstream?",
    "gateway.yaml:10:14  models.n.type: must be one of: embedding, image",
    "gateway.yaml:10:41  models.n.profile.sizes: must be a list",
  ]);
});

test("for a union, only the shape that was meant is explained", () => {
  const file = minimal.replace("type: embedding", "type: embedding, hedge: { afterMs: soon }");

  expect(faultsOf(file)).toEqual([expect.stringMatching(/models\.m\.hedge\.afterMs: must be a number$/)]);
});

test("a key without a value is empty, not of another type", () => {
  expect(faultsOf(`port:\n${minimal}`)).toEqual(["gateway.yaml:1:6  port: is empty; it must be a number"]);
});

test.each([
  ["upstreams:\n\tlocal: 1", "2:1", "the line is indented with a tab; use spaces"],
  ["port: 1\nport: 2", "2:1", "the key is there already, earlier in the same mapping; remove one of the two"],
  ["port: 1\n---\nport: 2", "2:1", "the file has a second document after ---; put everything into one"],
  ["a: b: c", "1:4", "the line has a second colon; put the value in quotes, or on a separate line"],
  ["a: 'b", "1:6", "a quote, a bracket, a comma or the space after a colon is missing"],
])("the YAML %j is explained in plain words", (text, position, message) => {
  // A key that is there twice does not keep the rest from being checked.
  expect(faultsOf(text)).toContain(`gateway.yaml:${position}  invalid YAML: ${message}`);
});

test("an anchor that does not exist is a fault, not a crash", () => {
  expect(faultsOf("models: *nowhere")).toEqual([
    "gateway.yaml:1:1  the file refers with * to an anchor that does not exist, or to too many",
  ]);
});

test("a variable that is not set is one fault however often it is used, and causes no other", () => {
  const file = `
upstreams:
  a: { provider: openai-compatible, baseUrl: "\${NO_URL}", apiKey: "\${NO_KEY}" }
  b: { provider: openai-compatible, baseUrl: "\${NO_URL}/v1", apiKey: "\${NO_KEY}" }
models: { m: { type: embedding, targets: [{ upstream: a, model: x }] } }
databaseUrl: "\${NO_URL}"
`;

  expect(faultsOf(file)).toEqual([
    "gateway.yaml:3:46  the environment variable NO_URL is not set (used again in lines 4, 6); set it, or write $${NO_URL} for the literal text",
    "gateway.yaml:3:67  the environment variable NO_KEY is not set (used again in line 4); set it, or write $${NO_KEY} for the literal text",
  ]);
});

test.each([
  [
    "type: embedding, targets: [{ upstream: local, model: gte-smal }]",
    'embedding model "gte-smal"',
    "gte-small, all-MiniLM-L6-v2, mine",
  ],
  [
    "type: image, targets: [{ upstream: local, model: gte-small }]",
    'image model "gte-small"',
    "local-sketch",
  ],
])("%s: a local model that does not exist is refused with those that do", (model, missing, names) => {
  const upstreams = "upstreams: { local: { provider: local, modelFolders: { mine: ./mine } } }";

  expect(faultsOf(`${upstreams}\nmodels: { m: { ${model} } }`)).toEqual([
    expect.stringContaining(
      `models.m.targets[0].model: there is no ${missing} at "local"; use one of: ${names}`,
    ),
  ]);
  expect(
    faultsOf(`${upstreams}\nmodels: { m: { type: embedding, targets: [{ upstream: local, model: mine }] } }`),
  ).toEqual([]);
});

test.each([
  ["upstreams.u.apiKey", { UPSTREAM: "sk-one two" }],
  ["upstreams.u.apiKey", { UPSTREAM: "sk-secret\n" }],
  ["keys[0].key", { CALLER: "caller secret" }],
  ["adminKey", { ADMIN: "the-admin-sécret-key" }],
])("%s that cannot be sent in a header is refused, and not printed", (path, bad) => {
  const good = { UPSTREAM: "sk-one", CALLER: "caller-secret", ADMIN: "the-admin-secret-key" };
  const file = `
adminKey: "\${ADMIN}"
keys: [{ name: dev, key: "\${CALLER}" }]
upstreams: { u: { provider: openai, apiKey: "\${UPSTREAM}" } }
models: { m: { type: embedding, targets: [{ upstream: u, model: x }] } }
`;

  const faults = faultsOf(file, { ...good, ...bad });

  expect(faults).toEqual([
    expect.stringContaining(
      `  ${path}, from ${Object.keys(bad)[0]}: must have no spaces, line breaks or letters outside ASCII, because it is sent in a header`,
    ),
  ]);
  expect(faults.join()).not.toMatch(/sk-|secret\b|sécret/);
  expect(faultsOf(file, good)).toEqual([]);
});
