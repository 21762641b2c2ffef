import { ImageBytes } from "../image-bytes.js";

/** The same value with the base64 of each image in its place, so that a test can compare it. */
export function withTexts(value: unknown): unknown {
  if (value instanceof ImageBytes) return value.toText();
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner)]));
}
