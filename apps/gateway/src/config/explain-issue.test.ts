import { expect, test } from "vitest";
import { faultsOf, minimal } from "./test/load-text.js";

test.each([
  ["port: 70000", "port: must be at most 65535"],
  ["logLevel: loud", "logLevel: must be one of: fatal, error, warn, info, debug, trace, silent"],
  ["exposeUpstream: maybe", "exposeUpstream: must be true or false"],
  ["keys: { name: dev }", "keys: must be a list"],
  ['keys: [{ name: "", key: long-enough-key }]', "keys[0].name: must have at least 1 character"],
  [
    "images: { size: 1 }",
    "images.size: is not a known key; known keys: store, linkTtl, storeBytesMax, linkSecret",
  ],
])("%s: the fault says what to write instead", (line, fault) => {
  expect(faultsOf(`${line}\n${minimal}`)).toEqual([expect.stringMatching(/^gateway.yaml:1:\d+ {2}/)]);
  expect(faultsOf(`${line}\n${minimal}`)[0]).toContain(`  ${fault}`);
});

test.each([
  ["cache: true", "models.m.cache: must be false, or a mapping of keys to values"],
  ["hedge: 5", "models.m.hedge: must be a mapping of keys to values"],
  ["targets: []", "models.m.targets: must have at least 1 entry"],
  ["targets: [{ upstream: local }]", "models.m.targets[0].model: is required; it must be text"],
])("%s on a model: the fault says what to write instead", (line, fault) => {
  const file = `
upstreams: { local: { provider: local } }
models: { m: { type: embedding, dimensions: 8, targets: [{ upstream: local, model: m }] } }
`;
  const changed = line.startsWith("targets")
    ? file.replace(/targets: .*\] /, `${line} `)
    : file.replace("dimensions: 8", `dimensions: 8, ${line}`);

  expect(faultsOf(changed)).toEqual([expect.stringContaining(`  ${fault}`)]);
});

test("a provider or a type that does not exist is reported with those that do", () => {
  const faults = faultsOf("upstreams: { u: { provider: none } }\nmodels: { m: { type: none } }");

  expect(faults).toEqual([
    expect.stringContaining("upstreams.u.provider: must be one of: openai, openai-compatible, local"),
    expect.stringContaining("models.m.type: must be one of: embedding, image"),
  ]);
});
