import { expect, test } from "vitest";
import { faultsOf, load, minimal } from "./test/load-text.js";

const old = `
tellUpstream: false
pictures: { linkTtl: 2h }
limits: { answerBytesMax: 1234 }
upstreams: { local: { provider: local } }
models:
  m: { type: embedding, targets: [{ upstream: local, model: gte-small, coalesce: { windowMs: 3 } }] }
`;

test("old keys keep their meaning, and one warning each names the new key", () => {
  const config = load(old);

  expect(config).toMatchObject({
    exposeUpstream: false,
    images: { linkTtlMs: 7_200_000 },
    limits: { idempotencyBytesMax: 1234 },
  });
  expect(config.models.get("m")).toMatchObject({ coalesce: { windowMs: 3, maxInputs: 64 } });
  expect(config.warnings).toEqual([
    "tellUpstream is now called exposeUpstream; the old name still works.",
    "pictures is now called images; the old name still works.",
    "limits.answerBytesMax is now called limits.idempotencyBytesMax; the old name still works.",
    "models.m.targets[0].coalesce is now models.m.coalesce; the old place still works.",
  ]);
});

test("new keys warn of nothing", () => {
  expect(load(`${minimal}exposeUpstream: false\nimages: { linkTtl: 2h }\n`).warnings).toEqual([]);
});

test("an old key beside its new one is refused by name", () => {
  expect(faultsOf(`${minimal}exposeUpstream: true\ntellUpstream: false\n`)).toEqual([
    expect.stringContaining("tellUpstream: is not a known key"),
  ]);
});

test("only the first target may say in the old way how requests are joined", () => {
  const faults = faultsOf(`
upstreams: { local: { provider: local } }
models:
  m:
    type: embedding
    targets:
      - { upstream: local, model: gte-small }
      - { upstream: local, model: gte-small, coalesce: { windowMs: 3 } }
`);

  expect(faults).toEqual([
    expect.stringContaining("models.m.targets[1].coalesce: belongs to the model, beside its targets"),
  ]);
});
