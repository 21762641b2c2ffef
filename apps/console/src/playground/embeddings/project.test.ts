import { expect, test } from "vitest";
import { projectSteps } from "./project.js";
import { finish } from "./run-in-turns.js";
import { similaritySteps } from "./similarity.js";

const project = (vectors: readonly Float32Array[]) => finish(projectSteps(finish(similaritySteps(vectors))));

/** Unit vectors at these angles in a plane, within a space of eight dimensions. */
const inPlane = (angles: readonly number[]) =>
  angles.map((angle) => Float32Array.of(0, 0, Math.cos(angle), 0, 0, Math.sin(angle), 0, 0));

test("vectors of a plane are shown whole, with their distances", () => {
  const vectors = inPlane([0, 0.4, 1.5, 3]);

  const { points, share } = project(vectors);

  expect(share).toBeCloseTo(1, 6);
  for (const [row, one] of vectors.entries()) {
    for (const [column, other] of vectors.entries()) {
      const apart = Math.hypot(...one.map((value, at) => value - (other[at] ?? 0)));
      const shown = Math.hypot(points[row]!.x - points[column]!.x, points[row]!.y - points[column]!.y);
      expect(shown).toBeCloseTo(apart, 5);
    }
  }
});

test("the share says how much of the differences two axes leave out", () => {
  const corners = [0, 1, 2, 3].map((place) =>
    Float32Array.from({ length: 4 }, (_, at) => Number(at === place)),
  );

  // Four corners of a regular tetrahedron differ equally along three axes.
  expect(project(corners).share).toBeCloseTo(2 / 3, 5);
});

test("equal vectors, one vector and none have a place", () => {
  expect(project(inPlane([1, 1])).points).toEqual([
    { x: 0, y: 0 },
    { x: 0, y: 0 },
  ]);
  expect(project(inPlane([1]))).toEqual({ points: [{ x: 0, y: 0 }], share: 1 });
  expect(project([])).toEqual({ points: [], share: 1 });
});
