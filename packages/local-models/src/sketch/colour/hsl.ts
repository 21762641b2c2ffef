/** A colour as hue (0 to 360), saturation and lightness (0 to 1). */
export interface Hsl {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

/** Reads `#rgb` or `#rrggbb`; the formulas are those of https://www.w3.org/TR/css-color-4/#rgb-to-hsl. */
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

/** Writes `#rrggbb`; the hue may be any angle. */
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
export function toRgb(hex: string): [number, number, number] {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  const value = Number.parseInt(digits, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function unitRgb(hex: string): [number, number, number] {
  const [red, green, blue] = toRgb(hex);
  return [red / 255, green / 255, blue / 255];
}
