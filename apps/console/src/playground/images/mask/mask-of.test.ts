import { expect, test } from "vitest";
import { maskOf, maskPixels, paintedShare, type Stroke } from "./mask-of.js";

const size = { width: 9, height: 5 };
const at = (x: number, y: number) => ({ x, y });

test("a dot paints the pixels within its radius", () => {
  expect(draw([{ kind: "brush", radius: 1, points: [at(2, 2)] }])).toEqual([
    ".........",
    "..#......",
    ".###.....",
    "..#......",
    ".........",
  ]);
});

test("a stroke paints between its points, and ends at the edge of the image", () => {
  expect(draw([{ kind: "brush", radius: 1, points: [at(3, 0), at(20, 0)] }])).toEqual([
    "..#######",
    "...######",
    ".........",
    ".........",
    ".........",
  ]);
});

test("an eraser removes earlier strokes, and not later ones", () => {
  const erased: Stroke = { kind: "eraser", radius: 1, points: [at(4, 0), at(4, 4)] };
  const rectangle: Stroke = { kind: "rectangle", from: at(1, 1), to: at(7, 3) };

  expect(draw([rectangle, erased])).toEqual([
    ".........",
    ".##...##.",
    ".##...##.",
    ".##...##.",
    ".........",
  ]);
  expect(draw([erased, rectangle])).toEqual([
    ".........",
    ".#######.",
    ".#######.",
    ".#######.",
    ".........",
  ]);
});

test("a rectangle may be given from any corner, and is cut at the edge", () => {
  const one = draw([{ kind: "rectangle", from: at(6, 3), to: at(100, 100) }]);

  expect(one).toEqual([".........", ".........", ".........", "......###", "......###"]);
  expect(draw([{ kind: "rectangle", from: at(100, 100), to: at(6, 3) }])).toEqual(one);
});

test("the editable area is transparent, and the rest is black", () => {
  const mask = maskOf([{ kind: "brush", radius: 0, points: [at(1, 0)] }], { width: 2, height: 1 });

  expect([...maskPixels(mask)]).toEqual([0, 0, 0, 255, 0, 0, 0, 0]);
  expect(paintedShare(mask)).toBe(0.5);
});

function draw(strokes: readonly Stroke[]): string[] {
  const mask = maskOf(strokes, size);
  return Array.from({ length: size.height }, (_, y) =>
    Array.from(mask.subarray(y * size.width, (y + 1) * size.width), (value) =>
      value === 1 ? "#" : ".",
    ).join(""),
  );
}
