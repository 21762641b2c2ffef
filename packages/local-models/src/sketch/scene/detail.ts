import type { SketchOptions } from "../sketch-options.js";

/** How much is drawn. */
export interface Detail {
  /** Multiplies the number of stars, clouds, trees and the like. */
  readonly abundance: number;
  /** Shadows under subjects and soft light in the sky. */
  readonly shading: boolean;
  /** Flowers, glows and darkened corners. */
  readonly finish: boolean;
}

export const details: Readonly<Record<SketchOptions["quality"], Detail>> = {
  low: { abundance: 0.45, shading: false, finish: false },
  medium: { abundance: 1, shading: true, finish: false },
  high: { abundance: 1.6, shading: true, finish: true },
};
