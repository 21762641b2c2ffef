import { type Hsl, toHex, toHsl } from "./hsl.js";

/** A motif's SVG with its main colours moved to the wanted one; shading, eyes and outlines stay. */
export function recolour(svg: string, wanted: string): string {
  const target = toHsl(wanted);
  const main = mainColour(svg);
  return svg.replace(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/gi, (hex) => {
    const colour = toHsl(hex);
    return isPaint(colour, main) ? toHex(moved(colour, main, target)) : hex;
  });
}

/** The first fill that is neither nearly black nor nearly white: motifs are drawn body first. */
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
