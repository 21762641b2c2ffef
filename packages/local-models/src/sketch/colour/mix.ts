import { toRgb } from "./hsl.js";

/** The colour `share` of the way from one to the other. */
export function mix(from: string, to: string, share: number): string {
  const start = toRgb(from);
  const end = toRgb(to);
  const parts = start.map((part, channel) => {
    const value = Math.round(part + ((end[channel] ?? part) - part) * share);
    return value.toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}
