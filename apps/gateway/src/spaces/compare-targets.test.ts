import { defaultInputImageLimits } from "@model-gateway/domain/content-input";
import type { EmbeddingModel, EmbeddingTarget, Upstream } from "@model-gateway/domain/model";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { probeImages, probeTexts } from "@model-gateway/vector-check/probes";
import { expect, test } from "vitest";
import { compareTargets, comparisonFingerprint } from "./compare-targets.js";

/** A model with a target at each of these upstreams. */
function modelAt(names: readonly string[], more: Partial<EmbeddingModel> = {}): EmbeddingModel {
  const targets = names.flatMap((upstream) => embeddingModel({}, { upstream }).targets);
  return { ...embeddingModel(more), targets: targets as [EmbeddingTarget, ...EmbeddingTarget[]] };
}

/** The same with images at some of its upstreams. */
function withImages(model: EmbeddingModel, names: readonly string[]): EmbeddingModel {
  const targets = model.targets.map((target) =>
    names.includes(target.upstream) ? { ...target, inputImages: defaultInputImageLimits } : target,
  );
  return { ...model, targets: targets as [EmbeddingTarget, ...EmbeddingTarget[]] };
}

const upstreamAt = (name: string, baseUrl: string) => ({ name, provider: "openai", baseUrl }) as Upstream;
const upstreams = new Map(["a", "b", "c"].map((name) => [name, upstreamAt(name, `http://${name}/v1`)]));

/** Those of texts, of images for a pair. A target with a text instead fails with it. */
type Weights = Readonly<Record<string, number | readonly [number, number] | string>>;

/** Vectors of a weight, on a circle. */
const vectorsOf = (inputs: readonly unknown[], weight: number) =>
  inputs.map((_, row) => Float32Array.of(Math.cos(row * weight), Math.sin(row * weight)));

const embedderOf =
  (weights: Weights) =>
  async ({ upstream }: { readonly upstream: string }) => {
    const weight = weights[upstream];
    if (weight === undefined || typeof weight === "string") throw new Error(weight);
    const [texts, images] = typeof weight === "number" ? [weight, undefined] : weight;
    return {
      texts: vectorsOf(probeTexts, texts),
      images: images === undefined ? undefined : vectorsOf(Object.keys(probeImages), images),
    };
  };

function compare(model: EmbeddingModel, weights: Weights) {
  let time = 1000;
  return compareTargets(model, {
    upstreams,
    embed: embedderOf(weights),
    describeFailure: (failure) => ({ code: "upstream_error", message: (failure as Error).message }),
    now: () => {
      time += 10;
      return time;
    },
    signal: new AbortController().signal,
  });
}

test("the target that differs from the most is named, with its figures", async () => {
  const { targets, ...comparison } = await compare(modelAt(["a", "b", "c"]), { a: 2, b: 1, c: 1 });

  expect(comparison).toMatchObject({
    model: "model",
    verdict: "different",
    texts: probeTexts.length,
    images: 0,
  });
  expect(targets.map(({ upstream, verdict }) => [upstream, verdict])).toEqual([
    ["a", "different"],
    ["b", "reference"],
    ["c", "same"],
  ]);
  expect(targets[0]).toMatchObject({
    differsIn: ["texts"],
    cosineMin: expect.closeTo(Math.cos(3), 1),
    imageCosineMin: null,
    width: 2,
    error: null,
  });
  expect(targets[1]).toMatchObject({ cosineMin: null, neighboursKept: null, width: 2 });
  expect(targets[2]).toMatchObject({ cosineMin: expect.closeTo(1), neighboursKept: probeTexts.length });
});

test("a target whose images differ is named, although its texts agree", async () => {
  const model = withImages(modelAt(["a", "b", "c"]), ["a", "b"]);

  const { verdict, images, targets } = await compare(model, { a: [1, 1], b: [1, 2], c: 1 });

  expect([verdict, images]).toEqual(["different", 4]);
  expect(targets).toMatchObject([
    { upstream: "a", verdict: "reference", differsIn: [], cosineMin: null, imageCosineMin: null },
    {
      upstream: "b",
      verdict: "different",
      differsIn: ["images"],
      cosineMin: expect.closeTo(1),
      imageCosineMin: expect.closeTo(Math.cos(3), 1),
    },
    { upstream: "c", verdict: "same", differsIn: [], cosineMin: expect.closeTo(1), imageCosineMin: null },
  ]);
});

test("a target without a reply leaves the comparison incomplete, unless others differ", async () => {
  const incomplete = await compare(modelAt(["a", "b", "c"]), { a: 1, b: 1, c: "down" });
  const different = await compare(modelAt(["a", "b", "c"]), { a: 1, b: 2, c: "down" });
  const silent = await compare(modelAt(["a", "b"]), { a: "down", b: "down" });

  expect(incomplete.verdict).toBe("incomplete");
  expect(incomplete.targets[2]).toMatchObject({
    verdict: "no_reply",
    cosineMin: null,
    width: null,
    error: { code: "upstream_error", message: "down" },
  });
  expect(different.verdict).toBe("different");
  expect(silent.verdict).toBe("incomplete");
});

test("a target that the model names twice is called once", async () => {
  const { verdict, targets } = await compare(modelAt(["a", "b", "a"]), { a: 1, b: 1 });

  expect(verdict).toBe("same");
  expect(targets.map(({ upstream }) => upstream)).toEqual(["a", "b"]);
});

test("the fingerprint changes with the targets, their images and addresses and the space, and with nothing else", () => {
  const of = (model: EmbeddingModel, at = upstreams) => comparisonFingerprint(model, at);
  const before = of(modelAt(["a", "b"]));
  const moved = new Map([...upstreams, ["b", upstreamAt("b", "http://elsewhere/v1")]]);
  const heavier = modelAt(["a", "b"]).targets.map((target) => ({ ...target, weight: 5, tier: 2 }));

  expect(of(modelAt(["b", "a"]))).toBe(before);
  expect(of({ ...modelAt(["a", "b"]), targets: heavier as never })).toBe(before);
  const others = [
    of(modelAt(["a", "c"])),
    of(modelAt(["a", "b", "c"])),
    of(modelAt(["a", "b"]), moved),
    of(modelAt(["a", "b"], { revision: "2" })),
    of(modelAt(["a", "b"], { inputType: "query" })),
    of(withImages(modelAt(["a", "b"]), ["b"])),
    of(withImages(modelAt(["a", "b"]), ["a", "b"])),
  ];
  expect(new Set([before, ...others]).size).toBe(8);
});
