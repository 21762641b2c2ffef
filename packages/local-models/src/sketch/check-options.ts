import type { SketchEdit, SketchOptions } from "./sketch-options.js";

const sideMin = 16;
const sideMax = 4096;

/** Refuses what cannot be drawn exactly as asked; the gateway has checked its callers before. */
export function checkOptions(options: SketchOptions | SketchEdit): void {
  checkWhole("width", options.width ?? sideMin, [sideMin, sideMax]);
  checkWhole("height", options.height ?? sideMin, [sideMin, sideMax]);
  checkWhole("index", options.index, [0, Number.MAX_SAFE_INTEGER]);
  checkWhole("compression", options.compression ?? 100, [0, 100]);
  if ((options.width === undefined) !== (options.height === undefined)) {
    throw new RangeError("width and height must be given together.");
  }
  if (options.background === "transparent" && options.format === "jpeg") {
    throw new RangeError("A jpeg cannot be transparent: use png or webp.");
  }
  if ("images" in options && options.images.length === 0) {
    throw new RangeError("An edit needs at least one image.");
  }
}

function checkWhole(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not ${value}.`);
  }
}
