import { expect, test } from "vitest";
import { spreadDots } from "./spread-dots.js";

const room = { width: 400, height: 300, radius: 8 };

test("dots with enough room stay where they are", () => {
  const places = [
    { x: 50, y: 50 },
    { x: 50, y: 66 },
    { x: 300, y: 200 },
  ];

  expect(spreadDots(places, room)).toEqual(places);
});

test("dots that lie on each other, even at one place, are moved apart and stay inside", () => {
  const places = Array.from({ length: 40 }, (_, at) => ({ x: 390 + (at % 3), y: 5 }));

  const moved = spreadDots(places, room);

  const nearest = moved.flatMap((one, at) =>
    moved.slice(at + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
  );
  expect(Math.min(...nearest)).toBeGreaterThan(room.radius / 2);
  expect(moved.every(({ x, y }) => x >= 8 && x <= 392 && y >= 8 && y <= 292)).toBe(true);
  expect(spreadDots(places, room)).toEqual(moved);
});
