import { isUtf8 } from "node:buffer";
import type { Steps } from "@model-gateway/runtime/time-slice";
import { type Attributes, SvgScan } from "./svg-scan.js";

/** An image of shapes is small. */
export const svgBytesMax = 8 * 1024 * 1024;
/** A piece of markup takes some 100 nanoseconds. */
const piecesPerStep = 1024;

export interface SvgMetadata {
  /** Undefined where the image declares no size. */
  readonly width?: number;
  readonly height?: number;
  readonly hasManifest: boolean;
}

/**
 * Checks that a text is one whole SVG element without scripts. Throws an error that says why it is not.
 *
 * This finds truncated and mislabelled images, and the plain ways to hide a program in one. It is not a sanitizer: a
 * page that shows an SVG must still treat it as untrusted.
 */
export function* walkSvg(content: Buffer): Steps<SvgMetadata> {
  if (content.length > svgBytesMax) throw new Error(`The SVG has more than ${svgBytesMax} bytes.`);
  if (!isUtf8(content)) throw new Error("The SVG is not UTF-8.");
  const scan = new SvgScan(content);
  for (let pieces = 1; scan.readNext(); pieces += 1) if (scan.isLong || pieces % piecesPerStep === 0) yield;
  return { ...sizeOf(scan.end()), hasManifest: scan.hasManifest };
}

/** In pixels: the root element's width and height, or else those of its view box. */
function sizeOf(root: Attributes): Pick<SvgMetadata, "width" | "height"> {
  const pixels = (text = "") => Math.round(Number(/^(\d{1,5}(?:\.\d{1,9})?)(?:px)?$/.exec(text.trim())?.[1]));
  const [, , boxWidth, boxHeight] = (root.get("viewBox") ?? "").trim().split(/[\s,]+/);
  const ownSize = [pixels(root.get("width")), pixels(root.get("height"))];
  const boxSize = [pixels(boxWidth), pixels(boxHeight)];
  const [width, height] = [ownSize, boxSize].find((size) => size.every((side) => side > 0)) ?? [];
  return width === undefined || height === undefined ? {} : { width, height };
}
