import { expect, test } from "vitest";
import { faultsOf, load } from "../test/load-text.js";

const file = (models: string, rest = "") => `
upstreams:
  one: { provider: openai }
  local: { provider: local }
models:
${models}
${rest}`;
const embedding = "type: embedding, targets: [{ upstream: one, model: m }]";
const image = "type: image, targets: [{ upstream: one, model: m }]";

test("aliases and defaults are resolved", () => {
  const { models, defaults } = load(
    file(
      `  a: { ${embedding}, aliases: [b] }\n  c: { ${image} }`,
      "defaults: { createEmbedding: b, createImage: c, createImageEdit: c }",
    ),
  );

  expect(models.get("a")?.aliases).toEqual(["b"]);
  expect(defaults).toEqual({ createEmbedding: "b", createImage: "c", createImageEdit: "c" });
});

test("a name that occurs twice is a fault, wherever it is", () => {
  const faults = faultsOf(
    file(`  a: { ${embedding}, aliases: [b, c, c] }\n  b: { ${image} }\n  d: { ${image}, aliases: [d, c] }`),
  );

  expect(faults.map((fault) => fault.replace(/^\S+ +/, ""))).toEqual([
    'models.a.aliases[0]: "b" is already the model "b"; give each model its own names',
    'models.a.aliases[2]: "c" is already an alias of "a"; give each model its own names',
    'models.d.aliases[0]: "d" is already the model "d"; give each model its own names',
    'models.d.aliases[1]: "c" is already an alias of "a"; give each model its own names',
  ]);
});

test.each([
  ["createEmbedding: x", 'defaults.createEmbedding: there is no model "x"'],
  ["createEmbedding: image", 'defaults.createEmbedding: the model "image" does not support createEmbedding'],
  ["createImage: embedding", 'defaults.createImage: the model "embedding" does not support createImage'],
  ["createImageEdit: no-edits", 'defaults.createImageEdit: the model "no-edits" does not support'],
  ["createImageEdit: other", 'defaults.createImageEdit: the model "other" does not support'],
  ["createImage: only-edits", 'defaults.createImage: the model "only-edits" does not support createImage'],
  ["createKey: image", "defaults.createKey: is not a known key"],
])("the default %s is a fault", (line, fault) => {
  const models = [
    `  embedding: { ${embedding} }`,
    `  image: { ${image} }`,
    `  no-edits: { ${image}, profile: { edits: false } }`,
    `  dall-e: { ${image}, profile: dall-e }`,
    `  only-edits: { ${image}, profile: { onlyEdits: true } }`,
    `  other: { ${image}, aliases: [same], profile: { like: dall-e, edits: false } }`,
  ];

  expect(faultsOf(file(models.join("\n"), `defaults: { ${line} }`)).join("\n")).toContain(fault);
});

test.each([
  ["fallback: x", 'models.a.fallback: there is no model "x"'],
  ["fallback: e", 'models.a.fallback: the model "e" creates no images'],
  ["fallback: a", "models.a.fallback: leads back to this model"],
  ["fallback: alias", 'models.a.fallback: there is no model "alias"'],
  ['fallback: "p*"', 'models.a.fallback: there is no model "p*"'],
])("the fallback %s is a fault", (line, fault) => {
  const models = [
    `  a: { ${image}, ${line} }`,
    `  b: { ${image}, aliases: [alias] }`,
    `  e: { ${embedding} }`,
    '  "p*": { type: image, targets: [{ upstream: one, model: "*" }] }',
  ];
  const faults = faultsOf(file(models.join("\n")));

  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(fault);
});

const cached = "dimensions: 4, cache: { ttl: 1d }";

test("a shadow with a cache is resolved, its own or that of its provider", () => {
  const local = "type: embedding, dimensions: 384, targets: [{ upstream: local, model: all-MiniLM-L6-v2 }]";
  const { models } = load(
    file(
      `  a: { ${embedding}, shadow: { model: b, percent: 5 } }\n  b: { ${embedding}, ${cached}, shadow: { model: l, percent: 100 } }\n  l: { ${local} }`,
    ),
  );

  expect(models.get("a")).toMatchObject({ shadow: { model: "b", percent: 5 } });
  expect(models.get("b")).toMatchObject({ shadow: { model: "l", percent: 100 } });
});

test.each([
  ["{ model: x, percent: 5 }", 'models.a.shadow.model: there is no model "x"'],
  ["{ model: a, percent: 5 }", "models.a.shadow.model: is this model"],
  ["{ model: i, percent: 5 }", 'models.a.shadow.model: the model "i" creates no vectors'],
  ["{ model: bare, percent: 5 }", 'models.a.shadow.model: the model "bare" has no cache'],
  ["{ model: off, percent: 5 }", 'models.a.shadow.model: the model "off" has no cache'],
  ['{ model: "p*", percent: 5 }', 'models.a.shadow.model: there is no model "p*"'],
  ["{ model: b, percent: 0 }", "models.a.shadow.percent"],
  ["{ model: b, percent: 101 }", "models.a.shadow.percent"],
  ["{ model: b }", "models.a.shadow.percent"],
])("the shadow %s is a fault", (shadow, fault) => {
  const models = [
    `  a: { ${embedding}, shadow: ${shadow} }`,
    `  b: { ${embedding}, ${cached} }`,
    `  bare: { ${embedding}, dimensions: 4 }`,
    `  off: { ${embedding}, dimensions: 4, cache: false }`,
    `  i: { ${image} }`,
    '  "p*": { type: embedding, targets: [{ upstream: one, model: "*" }] }',
  ];
  const faults = faultsOf(file(models.join("\n")));

  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(fault);
});

test("every model in a fallback loop is a fault, and one that leads into it is not", () => {
  const models = [
    ["a", "b"],
    ["b", "c"],
    ["c", "b"],
  ].map(([id, fallback]) => `  ${id}: { ${image}, fallback: ${fallback} }`);

  expect(faultsOf(file(models.join("\n"))).map((fault) => fault.replace(/^\S+ +/, ""))).toEqual([
    "models.b.fallback: leads back to this model; end the chain",
    "models.c.fallback: leads back to this model; end the chain",
  ]);
});
