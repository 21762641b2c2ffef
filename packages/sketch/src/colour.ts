/** A colour as hue (0 to 360), saturation and lightness (0 to 1). */
interface Hsl {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

/** Reads `#rgb` or `#rrggbb`; the formulas are from https://www.w3.org/TR/css-color-4/#rgb-to-hsl. */
export function toHsl(hex: string): Hsl {
  const [red, green, blue] = unitRgb(hex);
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const span = most - least;
  const lightness = (most + least) / 2;
  if (span === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = span / (1 - Math.abs(2 * lightness - 1));
  if (most === red) return { hue: (60 * ((green - blue) / span) + 360) % 360, saturation, lightness };
  if (most === green) return { hue: 60 * ((blue - red) / span + 2), saturation, lightness };
  return { hue: 60 * ((red - green) / span + 4), saturation, lightness };
}

/** Returns `#rrggbb`. The hue may be any angle. */
export function toHex({ hue, saturation, lightness }: Hsl): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number): string => {
    const turn = (offset + ((hue % 360) + 360) / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** Red, green and blue, 0 to 255. */
function toRgb(hex: string): [number, number, number] {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function unitRgb(hex: string): [number, number, number] {
  const [red, green, blue] = toRgb(hex);
  return [red / 255, green / 255, blue / 255];
}

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

/** Shifts the main colours of a motif to the wanted colour. Shading, eyes and outlines stay. */
export function recolour(svg: string, wanted: string): string {
  const target = toHsl(wanted);
  const main = mainColour(svg);
  return svg.replace(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/gi, (hex) => {
    const colour = toHsl(hex);
    return isPaint(colour, main) ? toHex(moved(colour, main, target)) : hex;
  });
}

/** The first fill that is neither nearly black nor nearly white: the body of a motif comes first. */
function mainColour(svg: string): Hsl {
  const fills = [...svg.matchAll(/fill="(#[0-9a-f]{3,6})"/gi)].map((match) => toHsl(match[1] ?? "#888888"));
  const shown = fills.filter(({ lightness }) => lightness > 0.2 && lightness < 0.93);
  return (
    shown.find(({ saturation }) => saturation > 0.25) ?? shown[0] ?? { hue: 0, saturation: 0, lightness: 0.5 }
  );
}

function isPaint(colour: Hsl, main: Hsl): boolean {
  if (colour.lightness < 0.2 || colour.lightness > 0.95) return false;
  if (main.saturation <= 0.25) return true;
  const apart = Math.abs(colour.hue - main.hue) % 360;
  return colour.saturation > 0.2 && Math.min(apart, 360 - apart) < 60;
}

function moved(colour: Hsl, main: Hsl, target: Hsl): Hsl {
  const lightness = target.lightness + (colour.lightness - main.lightness) * 0.8;
  return {
    hue: target.hue + (colour.hue - main.hue) * 0.25,
    saturation:
      target.saturation * (main.saturation > 0.25 ? Math.min(1, colour.saturation / main.saturation) : 1),
    lightness: Math.min(0.96, Math.max(0.08, lightness)),
  };
}
