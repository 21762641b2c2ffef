import type { Stage } from "./stage.js";

/** The units are stretched over exactly the asked pixels. */
export function sheet(
  stage: Stage,
  { width, height }: { width: number; height: number },
  body: string,
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${stage.width} ${stage.height}" preserveAspectRatio="none">${body}</svg>`;
}
