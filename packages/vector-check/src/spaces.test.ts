import { describe, expect, test } from "vitest";
import { probeTexts } from "./probes.js";
import {
  compareProbes,
  compareSpaces,
  compareWithMajority,
  cosineOf,
  type ProbeVectors,
  type SpaceVector,
} from "./spaces.js";

/** Pseudo-random numbers between -1 and 1, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const space = (seed: number, width = 64): number[][] => {
  const next = numbers(seed);
  return probeTexts.map(() => Array.from({ length: width }, next));
};

const changed = (vectors: readonly number[][], change: (x: number) => number): SpaceVector[] =>
  vectors.map((vector) => Float32Array.from(vector, change));

describe("the verdict", () => {
  test.each([
    ["same", "the same vectors", (x: number) => x],
    ["same", "vectors of another length", (x: number) => 3 * x],
    ["same", "16 bits a number", (x: number) => Math.round(x * 32_767) / 32_767],
    ["close", "4 bits a number", (x: number) => Math.round(x * 7) / 7],
    ["different", "the opposite direction", (x: number) => -x],
    ["different", "only signs", Math.sign],
    ["different", "zeros", () => 0],
  ] as const)("is %s for %s", (verdict, _, change) => {
    const vectors = space(1);

    expect(compareSpaces(vectors, changed(vectors, change)).verdict).toBe(verdict);
  });

  test("is different for two models of one width", () => {
    expect(compareSpaces(space(1), space(2))).toMatchObject({ verdict: "different" });
  });

  test("is different if one text of all has moved", () => {
    const vectors = space(1);
    const moved = vectors.map((vector, index) => (index === 5 ? vector.map((x) => -x) : vector));

    const { verdict, cosines, cosineMedian } = compareSpaces(vectors, moved);

    expect(verdict).toBe("different");
    expect(cosines[5]).toBeCloseTo(-1);
    expect(cosineMedian).toBeCloseTo(1);
  });

  test("says that widths differ, even of one vector", () => {
    const vectors = space(1);
    const cut = vectors.map((vector, index) => (index === 3 ? vector.slice(1) : vector));

    expect(compareSpaces(vectors, cut)).toMatchObject({ verdict: "different width", cosines: [] });
  });
});

test("neighbours and norms are reported", () => {
  const vectors = space(1);

  const { neighboursKept, norms } = compareSpaces(
    vectors,
    changed(vectors, (x) => 2 * x),
  );

  expect(neighboursKept).toBe(probeTexts.length);
  expect(norms.right.max).toBeCloseTo(2 * norms.left.max, 4);
  expect(norms.left.min).toBeLessThanOrEqual(norms.left.max);
});

test("vectors for different numbers of texts are not compared", () => {
  expect(() => compareSpaces(space(1), space(1).slice(1))).toThrow("16 and 15 vectors");
  expect(() => compareSpaces([], [])).toThrow(RangeError);
});

test("a cosine is never beyond 1, and that of a zero vector is 0", () => {
  expect(cosineOf([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])).toBeLessThanOrEqual(1);
  expect(cosineOf([0, 0], [1, 1])).toBe(0);
});

describe("several sources", () => {
  const verdicts = (sources: Parameters<typeof compareWithMajority>[0]) => {
    const { reference, comparisons } = compareWithMajority(sources);
    return { reference, verdicts: comparisons.map((comparison) => comparison?.verdict) };
  };

  test("are compared with the first of the largest group", () => {
    expect(verdicts([space(1), space(2), undefined, space(2)])).toEqual({
      reference: 1,
      verdicts: ["different", undefined, undefined, "same"],
    });
  });

  test("of equal groups, the first counts", () => {
    expect(verdicts([space(1), space(2)])).toEqual({ reference: 0, verdicts: [undefined, "different"] });
    expect(verdicts([space(1), space(1, 32)])).toEqual({
      reference: 0,
      verdicts: [undefined, "different width"],
    });
  });

  test("without vectors have no reference", () => {
    expect(verdicts([undefined, undefined])).toEqual({
      reference: undefined,
      verdicts: [undefined, undefined],
    });
  });
});

describe("texts and images", () => {
  const images = (seed: number) => space(seed).slice(0, 4);
  const findings = (sources: readonly (ProbeVectors | undefined)[]) =>
    compareProbes(sources).map((one) => one && [one.verdict, ...one.differsIn]);

  test("are compared separately, and what differs is named", () => {
    const texts = space(1);

    expect(
      findings([
        { texts, images: images(2) },
        { texts, images: images(3) },
      ]),
    ).toEqual([undefined, ["different", "images"]]);
    expect(
      findings([
        { texts, images: images(2) },
        { texts: space(4), images: images(2) },
      ]),
    ).toEqual([undefined, ["different", "texts"]]);
    expect(
      findings([
        { texts, images: images(2) },
        { texts: space(4), images: images(3) },
      ]),
    ).toEqual([undefined, ["different", "texts", "images"]]);
    expect(
      findings([
        { texts, images: images(2) },
        { texts, images: images(2) },
      ]),
    ).toEqual([undefined, ["same"]]);
  });

  test("the worse of both is the verdict", () => {
    const texts = space(1);
    const rounded = changed(texts, (x) => Math.round(x * 7) / 7);
    const narrow = images(2).map((vector) => vector.slice(1));

    expect(
      findings([
        { texts, images: images(2) },
        { texts: rounded, images: images(2) },
      ]),
    ).toEqual([undefined, ["close"]]);
    expect(
      findings([
        { texts, images: images(2) },
        { texts: rounded, images: narrow },
      ]),
    ).toEqual([undefined, ["different width", "images"]]);
  });

  test("a source without images is compared by its texts, and one without vectors not at all", () => {
    const texts = space(1);

    expect(
      findings([{ texts }, undefined, { texts, images: images(2) }, { texts, images: images(2) }]),
    ).toEqual([["same"], undefined, undefined, ["same"]]);
    expect(findings([undefined])).toEqual([undefined]);
  });

  test("the reference is one that agrees with the most in both", () => {
    const texts = space(1);

    expect(
      findings([
        { texts, images: images(3) },
        { texts, images: images(2) },
        { texts, images: images(2) },
      ]),
    ).toEqual([["different", "images"], undefined, ["same"]]);
    // Its texts are odd: images are compared with it, and its texts with the others.
    expect(findings([{ texts: space(4), images: images(2) }, { texts }, { texts }])).toEqual([
      ["different", "texts"],
      undefined,
      ["same"],
    ]);
  });
});
