import { expect, test } from "vitest";
import { faultsOf, load } from "../test/load-text.js";

const file = (...targets: string[]) => `
upstreams: { one: { provider: openai }, two: { provider: openai-compatible, baseUrl: "http://two/v1" }, local: { provider: local } }
models: { m: { type: embedding, targets: [${targets.map((target) => `{ ${target} }`).join(", ")}] } }
`;

test("a model passes through the parameters that all its targets accept", () => {
  const { models } = load(
    file(
      "upstream: one, model: x, passThrough: [seed, steps]",
      "upstream: two, model: x, passThrough: [steps, seed]",
    ),
  );

  expect(models.get("m")?.passThrough).toEqual(["seed", "steps"]);
});

test.each([
  [
    "a parameter of the spec",
    file("upstream: one, model: x, passThrough: [seed, user, prompt]"),
    [
      'models.m.targets[0].passThrough[1]: the gateway handles "user" itself',
      'models.m.targets[0].passThrough[2]: the gateway handles "prompt" itself',
    ],
  ],
  [
    "the upstream's name for dimensions",
    file("upstream: one, model: x, dimensionsField: width, passThrough: [width]"),
    ['models.m.targets[0].passThrough[0]: the gateway handles "width" itself'],
  ],
  [
    "an upstream with its own dialect",
    file("upstream: local, model: gte-small, passThrough: [seed]"),
    ["models.m.targets[0].passThrough: this upstream accepts no further parameters"],
  ],
  [
    "targets that differ",
    file("upstream: one, model: x, passThrough: [seed]", "upstream: two, model: x"),
    ["models.m.targets[1].passThrough: must be the same on all targets of the model"],
  ],
  [
    "an invalid name",
    file('upstream: one, model: x, passThrough: ["a b"]'),
    ["models.m.targets[0].passThrough[0]: must be the name of a parameter"],
  ],
])("%s is a fault", (_name, text, faults) => {
  const found = faultsOf(text);

  expect(found).toHaveLength(faults.length);
  faults.forEach((fault, index) => {
    expect(found[index]).toContain(fault);
  });
});

const patterns = (models: string) => `
upstreams: { one: { provider: openai }, local: { provider: local } }
models:
${models}
`;

test("a pattern is a model with a star in its id and in the name at each target", () => {
  const { models } = load(
    patterns('  "openai/*": { type: image, targets: [{ upstream: one, model: "*" }] }'),
  );

  expect(models.get("openai/*")?.targets[0].model).toBe("*");
});

test.each([
  ['"a*b*": { type: image, targets: [{ upstream: one, model: "*" }] }', "models.a*b*: a pattern has one *"],
  ['"a*": { type: image, targets: [{ upstream: one, model: x }] }', "targets[0].model: needs one *"],
  ['a: { type: image, targets: [{ upstream: one, model: "*" }] }', "targets[0].model: has a * although"],
  [
    '"a*": { type: image, targets: [{ upstream: local, model: "*" }] }',
    "targets[0].model: this upstream has a fixed list of models",
  ],
  [
    '"a*": { type: image, aliases: [b], targets: [{ upstream: one, model: "*" }] }',
    "aliases[0]: a pattern has no aliases",
  ],
  [
    'a: { type: image, aliases: ["b*"], targets: [{ upstream: one, model: x }] }',
    "aliases[0]: a pattern has no aliases, and an alias no *",
  ],
])("%s is a fault", (line, fault) => {
  const faults = faultsOf(patterns(`  ${line}`));

  expect(faults).toEqual([expect.stringContaining(fault)]);
});
