import { expect, test } from "vitest";
import { compareTargets, warnOfMix } from "./targets-to-mix.js";

const target = (upstream: string, model = "m") => ({ upstream, model, others: {} });
const embedding = (...targets: ReturnType<typeof target>[]) => ({ type: "embedding" as const, targets });
const probed = (name: string, ...values: number[]) => ({
  name,
  vectors: { texts: [Float32Array.from(values), Float32Array.from([...values].reverse())] },
  error: undefined,
});
const silent = (name: string) => ({ name, vectors: undefined, error: "It is down." });
const never = { probed: undefined, present: undefined, isComparing: false };

test("targets that were never compared are named, unless one target or an image model is alone", () => {
  expect(warnOfMix(embedding(target("a"), target("b", " n ")), never)).toEqual({
    isDifferent: false,
    text: "The vectors of a / m and b / n were not compared. Equal names and widths do not prove that they are of one space.",
  });
  expect(warnOfMix(embedding(target("a"), target("a")), never)).toBeUndefined();
  expect(warnOfMix({ ...embedding(target("a"), target("b")), type: "image" }, never)).toBeUndefined();
});

test("a comparison that runs, or that lacks a reply, is not taken as one", () => {
  const form = embedding(target("a"), target("b"));

  expect(warnOfMix(form, { ...never, isComparing: true })?.text).toBe(
    "The comparison of the targets is not finished.",
  );
  expect(warnOfMix(form, { ...never, probed: [probed("a / m", 1, 0), silent("b / m")] })).toEqual({
    isDifferent: false,
    text: "Only a / m replied, so there was nothing to compare it with: bring b / m back, then examine again.",
  });
});

test("vectors that differ need a consent, and equal ones need nothing", () => {
  const form = embedding(target("a"), target("b"));
  const same = [probed("a / m", 1, 0), probed("b / m", 1, 0)];
  const different = [probed("a / m", 1, 0), probed("b / m", 1, 0, 0)];

  expect(warnOfMix(form, { ...never, probed: same })).toBeUndefined();
  expect(warnOfMix(form, { ...never, probed: different })).toEqual({
    isDifferent: true,
    text: "Do not mix: b / m gives vectors of another space than a / m, so give it its own model or correct the name there.",
  });
});

test("indexes are rebuilt only for a target that the model has already", () => {
  const form = embedding(target("a"), target("b"));
  const known = { ...never, probed: [probed("a / m", 1, 0), probed("b / m", 1, 0, 0)] };
  const verdictWith = (...targets: unknown[]) =>
    compareTargets(form.targets, { ...known, present: { targets } });

  expect(verdictWith(target("a"))?.verdict).not.toContain("rebuild");
  expect(verdictWith(target("a"), target("b"))?.verdict).toMatch(
    /, and rebuild the indexes that have its vectors\.$/,
  );
});

test("a change that adds no target is not held up", () => {
  const present = { targets: [target("a"), target("b"), target("c")] };

  expect(warnOfMix(embedding(target("a"), target("b")), { ...never, present })).toBeUndefined();
});

test("a comparison still holds when the target that differs is removed", () => {
  const known = {
    ...never,
    probed: [probed("a / m", 1, 0), probed("b / m", 1, 0), probed("c / m", 1, 0, 0)],
  };

  expect(warnOfMix(embedding(target("a"), target("b"), target("c")), known)?.isDifferent).toBe(true);
  expect(warnOfMix(embedding(target("a"), target("b")), known)).toBeUndefined();
  expect(warnOfMix(embedding(target("a"), target("d")), known)?.text).toMatch(
    /^The vectors of a \/ m and d \/ m were not/,
  );
});
