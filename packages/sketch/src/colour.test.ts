import { expect, test } from "vitest";
import { mix, recolour, toHex, toHsl } from "./colour.js";

test("a colour survives the conversion to HSL and back", () => {
  const colours = ["#ff822d", "#212121", "#ffffff", "#00d26a", "#4b45b8"];

  expect(colours.map((colour) => toHex(toHsl(colour)))).toEqual(colours);
});

test("mixing goes from one colour to the other", () => {
  expect([mix("#000000", "#ffffff", 0), mix("#000", "#fff", 0.5), mix("#000000", "#ffffff", 1)]).toEqual([
    "#000000",
    "#808080",
    "#ffffff",
  ]);
});

test("recolouring moves the main colour and leaves eyes and whites alone", () => {
  const svg = '<path fill="#ff822d"/><path fill="#212121"/><path fill="#ffffff"/>';

  expect(recolour(svg, "#2f7de1")).toBe('<path fill="#2f7de1"/><path fill="#212121"/><path fill="#ffffff"/>');
});
