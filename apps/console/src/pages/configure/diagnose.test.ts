import { probeImages, probeTexts } from "@model-gateway/vector-check/probes";
import { expect, test } from "vitest";
import { comparedImages, comparedTexts, judgeComparison } from "../space-verdict.js";
import { diagnose } from "./diagnose.js";

/** Three vectors, turned by an angle: another space if the angle is large. */
const space = (angle: number) =>
  [0, 1, 2].map((place) => [Math.cos(place + angle), Math.sin(place + angle), place]);
const target = (name: string, angle: number, imageAngle?: number) => ({
  name,
  vectors: { texts: space(angle), images: imageAngle === undefined ? undefined : space(imageAngle) },
});
const dead = (name: string) => ({ name, vectors: undefined });

test("equal vectors are safe to mix", () => {
  expect(diagnose([target("a / m", 0), target("b / m", 0)])).toMatchObject({
    outcome: "safe",
    tone: "good",
    verdict: "Safe to mix: both targets give the same vectors, so nothing needs to be done.",
  });
});

test("a dead target is named, and the others are compared", () => {
  expect(diagnose([dead("a / m"), target("b / m", 0), target("b / n", 0)])).toMatchObject({
    outcome: "incomplete",
    tone: "warn",
    verdict:
      "Safe to mix: both targets give the same vectors, so nothing needs to be done; a / m did not reply, so examine again later.",
  });
});

test("the one that differs is named, even if it is the first", () => {
  const { verdict, tone } = diagnose([target("odd", 2), target("a", 0), target("b", 0)]);

  expect(tone).toBe("bad");
  expect(verdict).toBe(
    "Do not mix: odd gives vectors of another space than a, so give it its own model or correct the name there, and rebuild the indexes that have its vectors.",
  );
});

test("images that differ are named, since the texts agree", () => {
  expect(diagnose([target("a", 0, 0), target("b", 0, 2)])).toMatchObject({
    outcome: "different",
    verdict:
      "Do not mix: b gives vectors of another space than a for images, although the texts agree, so give it its own model or correct the name there, and rebuild the indexes that have its vectors.",
  });
});

test("widths that differ are another space", () => {
  const narrow = { name: "narrow", vectors: { texts: space(0).map((vector) => vector.slice(1)) } };

  expect(diagnose([target("a", 0), narrow])).toMatchObject({
    outcome: "different",
    tone: "bad",
    verdict: expect.stringMatching(/^Do not mix: narrow gives /),
  });
});

test("rounded vectors are safe, with a note", () => {
  const { verdict, tone } = diagnose([target("a", 0), target("b", 0.06)]);

  expect([tone, verdict]).toEqual([
    "warn",
    "Safe to mix: b and a give one space with different rounding, so nothing needs to be done; only near equals may change places in a ranking.",
  ]);
});

test("without two targets that reply nothing is said about the vectors", () => {
  expect(diagnose([target("a", 0), dead("b"), dead("c")]).verdict).toBe(
    "Only a replied, so there was nothing to compare it with: bring b and c back, then examine again.",
  );
  expect(diagnose([dead("a"), dead("b")])).toMatchObject({
    tone: "bad",
    verdict: "No target replied, so nothing was compared: bring them back, then examine again.",
  });
});

test("a comparison of the gateway gets the same sentence", () => {
  const verdicts = ["reference", "same", "different_width", "no_reply"] as const;
  const targets = verdicts.map((verdict, at) => ({
    upstream: `u${at}`,
    model: "m",
    verdict,
    differs_in: verdict === "different_width" ? ["texts"] : [],
  }));

  expect(judgeComparison({ targets: targets as never })).toEqual({
    outcome: "different",
    tone: "bad",
    verdict:
      "Do not mix: u2 / m gives vectors of another space than u0 / m, so give it its own model or correct the name there, and rebuild the indexes that have its vectors; u3 / m did not reply, so examine again later.",
  });
});

test("the console knows how many texts and images there are", () => {
  expect([comparedTexts, comparedImages]).toEqual([probeTexts.length, Object.keys(probeImages).length]);
});
