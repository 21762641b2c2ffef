/** A number with one decimal at most: a scene has thousands of them. */
export function num(value: number): string {
  return String(Math.round(value * 10) / 10);
}

interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly fill: string;
  readonly opacity?: number;
}

export function circle({ x, y, radius, fill, opacity = 1 }: Circle): string {
  const veil = opacity < 1 ? ` opacity="${opacity.toFixed(2)}"` : "";
  return `<circle cx="${num(x)}" cy="${num(y)}" r="${num(radius)}" fill="${fill}"${veil}/>`;
}

export function path(fill: string, steps: string, opacity = 1): string {
  const veil = opacity < 1 ? ` opacity="${opacity.toFixed(2)}"` : "";
  return `<path fill="${fill}"${veil} d="${steps}"/>`;
}

/** Evenly spaced stops of a gradient. A stop is a colour, or a colour and its opacity. */
export function stops(colours: readonly (string | readonly [string, number])[]): string {
  return colours
    .map((stop, position) => {
      const [colour, opacity] = typeof stop === "string" ? [stop, 1] : stop;
      const offset = colours.length === 1 ? 0 : position / (colours.length - 1);
      return `<stop offset="${offset.toFixed(3)}" stop-color="${colour}" stop-opacity="${opacity}"/>`;
    })
    .join("");
}

/** Draws `count` things. */
export function repeat(count: number, draw: (position: number) => string): string {
  return Array.from({ length: Math.round(count) }, (_, position) => draw(position)).join("");
}
