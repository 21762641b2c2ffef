import { listedSize } from "./image-refusals.js";

/** A size maps to its aspect ratio if a model chooses the resolution itself. */
export const ratiosBySize: ReadonlyMap<string, string> = new Map([
  ["1024x1024", "1:1"],
  ["1536x1024", "3:2"],
  ["1024x1536", "2:3"],
  ["1280x960", "4:3"],
  ["960x1280", "3:4"],
  ["1920x1080", "16:9"],
  ["1080x1920", "9:16"],
  ["1344x576", "21:9"],
  ["576x1344", "9:21"],
]);

/** Refuses a size that is not listed: an operator's profile may accept others. */
export function ratioOf(size: string): string {
  return listedSize(size, ratiosBySize);
}
