import { toHex } from "../colour.js";
import type { Stage } from "./stage.js";
import { circle, num, path, repeat } from "./svg.js";

/** Ribbons of colour across the whole image, for prompts whose words name no motif. */
export function ribbons(stage: Stage): string {
  const random = stage.random("ribbons");
  const count = Math.round(3 + 3 * stage.detail.abundance);
  return repeat(count, (position) => {
    const y = (stage.height * (position + 0.8)) / count;
    const lift = (): string => num(y + random.between(-0.2, 0.2) * stage.height);
    const start = lift();
    const edge = `M0 ${start}C${num(stage.width * 0.3)} ${lift()} ${num(stage.width * 0.6)} ${lift()} ${num(stage.width)} ${lift()}`;
    const depth = position / count;
    const fill = toHex({
      hue: stage.palette.hue + depth * 70,
      saturation: 0.7,
      lightness: 0.82 - depth * 0.28,
    });
    return path(fill, `${edge}V${num(stage.height)}H0Z`, 0.7);
  });
}

/** One large flower for each word, the first in the middle. */
export function blooms(stage: Stage, words: readonly string[]): string {
  const shown = words.length === 0 ? ["…"] : words.slice(0, 7);
  return shown
    .map((word, position) => {
      const random = stage.random(`bloom ${word}`);
      const turn = position * 2.4 + stage.random("turn").between(0, 6);
      const reach = position === 0 ? 0 : 250 + position * 22;
      const x = stage.width / 2 + (Math.cos(turn) * reach * stage.width) / 1000;
      const y = stage.height / 2 + (Math.sin(turn) * reach * stage.height) / 1000;
      return bloom(stage, { word, x, y, radius: (position === 0 ? 260 : 150) * random.between(0.8, 1.05) });
    })
    .reverse()
    .join("");
}

/** A small flower in the air for each word that names no motif. */
export function ornaments(stage: Stage, words: readonly string[]): string {
  return words
    .slice(0, Math.round(6 * stage.detail.abundance))
    .map((word) => {
      const random = stage.random(`ornament ${word}`);
      const x = stage.width * random.pick([random.between(0.05, 0.3), random.between(0.7, 0.95)]);
      const y = stage.horizon * random.between(0.08, 0.8);
      return bloom(stage, { word, x, y, radius: random.between(20, 36) });
    })
    .join("");
}

interface Bloom {
  readonly word: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** The word decides the number of petals, their shape and their colours. */
function bloom(stage: Stage, { word, x, y, radius }: Bloom): string {
  const random = stage.random(`petals ${word}`);
  const petals = random.whole(5, 11);
  const hue = stage.palette.hue + random.pick([-50, 25, 60, 150, 180, 210]) + random.between(-10, 10);
  const width = random.between(0.25, 0.5);
  const rings = radius > 60 ? Math.round(1 + 2 * stage.detail.abundance) : 1;
  const layers = repeat(rings, (ring) => {
    const size = radius * (1 - ring * 0.24);
    const fill = toHex({ hue: hue + ring * 26, saturation: 0.72, lightness: 0.66 + ring * 0.05 });
    return repeat(petals, (petal) => {
      const angle = (petal / petals) * 360 + ring * (180 / petals);
      const shape = `M0 0C${num(size * width)} ${num(-size * 0.35)} ${num(size * width)} ${num(-size * 0.9)} 0 ${num(-size)}C${num(-size * width)} ${num(-size * 0.9)} ${num(-size * width)} ${num(-size * 0.35)} 0 0Z`;
      return `<path fill="${fill}" opacity=".8" transform="translate(${num(x)} ${num(y)}) rotate(${num(angle)})" d="${shape}"/>`;
    });
  });
  return (
    layers +
    circle({ x, y, radius: radius * 0.17, fill: toHex({ hue: hue + 180, saturation: 0.8, lightness: 0.72 }) })
  );
}
