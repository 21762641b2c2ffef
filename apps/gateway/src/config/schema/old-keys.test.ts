import { expect, test } from "vitest";
import { faultsOf, load, minimal } from "../test/load-text.js";

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
    "models.m.targets[0].coalesce is now models.m.coalesce; the old key still works.",
  ]);
});

test("new keys cause no warning", () => {
  expect(load(`${minimal}exposeUpstream: false\nimages: { linkTtl: 2h }\n`).warnings).toEqual([]);
});

test("an old key is refused if the new one is there too", () => {
  expect(faultsOf(`${minimal}exposeUpstream: true\ntellUpstream: false\n`)).toEqual([
    expect.stringContaining("tellUpstream: is not a known key"),
  ]);
});

test("`coalesce` on a target is accepted only on the first one", () => {
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
    expect.stringContaining(
      "models.m.targets[1].coalesce: is a key of the model, not of a target; move it up, beside targets",
    ),
  ]);
});
