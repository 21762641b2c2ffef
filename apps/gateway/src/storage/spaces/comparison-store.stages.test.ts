import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import type { TargetComparison } from "../../spaces/comparison-store.js";
import { createComparisonStore } from "./comparison-store.js";

const target = {
  upstream: "one",
  model: "m",
  verdict: "reference",
  differsIn: [],
  cosineMin: null,
  neighboursKept: null,
  imageCosineMin: null,
  width: 384,
  ms: 12.5,
  error: null,
} as const;
const comparison: TargetComparison = {
  model: "small",
  space: "5d2f0c9be1a4",
  comparedAt: 1_787_150_086_123,
  fingerprint: "abc",
  verdict: "different",
  texts: 16,
  images: 4,
  targets: [
    target,
    {
      ...target,
      upstream: "two",
      verdict: "different",
      differsIn: ["texts"],
      cosineMin: 0.2314,
      neighboursKept: 8,
      imageCosineMin: 1,
    },
    {
      ...target,
      upstream: "three",
      verdict: "no_reply",
      width: null,
      error: { code: "upstream_error", message: "狐" },
    },
  ],
};

describeDatabaseOfTier("comparisons of targets", ({ database, open }) => {
  test("one comparison of each model is kept, and another replica reads it", async () => {
    const store = createComparisonStore(database());
    const later = { ...comparison, comparedAt: comparison.comparedAt + 1, verdict: "same" as const };
    await store.save(comparison);
    await store.save({ ...comparison, model: "large" });

    await store.save(later);
    // A slow replica must not replace a later verdict.
    await store.save(comparison);

    const replica = await open();
    expect(await createComparisonStore(replica).read()).toEqual([{ ...comparison, model: "large" }, later]);
    await replica.close();
  });

  test("comparisons are dropped by model, as many as there are", async () => {
    const store = createComparisonStore(database());
    const gone = Array.from({ length: 1200 }, (_, number) => `gone-${number}`);
    for (const model of ["kept", gone[0] ?? "", gone.at(-1) ?? ""])
      await store.save({ ...comparison, model });

    await store.drop(gone);
    await store.drop([]);

    expect((await store.read()).map(({ model }) => model)).toEqual(["kept"]);
  });

  test("a comparison in the form of another version is not shown", async () => {
    const store = createComparisonStore(database());
    await store.save({ ...comparison, targets: [{ upstream: 1 }] as never });

    expect(await store.read()).toEqual([]);
  });
});
