import { mix } from "../colour.js";
import type { Random } from "../random.js";
import type { Stage } from "./stage.js";
import { circle, num, path, repeat } from "./svg.js";

interface Grove {
  readonly count: number;
  readonly base: number;
  readonly height: number;
  readonly fill: string;
}

/** A row of firs. Every second one is a little darker, so that they stay distinct. */
export function firs(stage: Stage, grove: Grove, random: Random): string {
  const step = stage.width / grove.count;
  return repeat(grove.count + 1, (position) => {
    const x = (position + random.between(-0.35, 0.35)) * step;
    const height = grove.height * random.between(0.7, 1.1);
    const fill = mix(grove.fill, "#0b2a2a", position % 2 === 0 ? 0.04 : 0.16);
    return fir(x, grove.base + random.between(-8, 14), { height, fill });
  });
}

function fir(x: number, base: number, { height, fill }: { height: number; fill: string }): string {
  const trunk = path(
    mix(fill, "#3b2416", 0.6),
    `M${num(x - height * 0.04)} ${num(base)}h${num(height * 0.08)}v${num(-height * 0.2)}h${num(-height * 0.08)}z`,
  );
  const tiers = [0, 1, 2].map((tier) => {
    const low = base - height * (0.13 + tier * 0.25);
    const half = height * (0.3 - tier * 0.07);
    return `M${num(x - half)} ${num(low)}L${num(x)} ${num(low - height * 0.4)}L${num(x + half)} ${num(low)}Z`;
  });
  return trunk + path(fill, tiers.join(""));
}

/** Blades of grass where the subjects stand, drawn over their feet. */
export function grass(stage: Stage, fill: string): string {
  const random = stage.random("grass");
  const perWidth = (stage.width / 1000) * stage.detail.abundance;
  return repeat(26 * perWidth, () => {
    const x = random.between(0, stage.width);
    const y = stage.feet + random.between(8, (stage.height - stage.feet) * 0.85);
    const size = random.between(12, 26);
    const blades = `M${num(x - size * 0.5)} ${num(y)}q${num(size * 0.1)} ${num(-size * 0.7)} ${num(-size * 0.3)} ${num(-size)}q${num(size * 0.5)} ${num(size * 0.3)} ${num(size * 0.6)} ${num(size)}q0 ${num(-size)} ${num(size * 0.25)} ${num(-size * 1.3)}q${num(size * 0.2)} ${num(size * 0.7)} ${num(size * 0.1)} ${num(size * 1.3)}q${num(size * 0.2)} ${num(-size * 0.6)} ${num(size * 0.6)} ${num(-size * 0.9)}q${num(-size * 0.2)} ${num(size * 0.4)} ${num(-size * 0.3)} ${num(size * 0.9)}Z`;
    return path(fill, blades, 0.8);
  });
}

/** Small flowers in the accent colours. */
export function flowers(stage: Stage): string {
  const random = stage.random("flowers");
  const perWidth = (stage.width / 1000) * stage.detail.abundance;
  return repeat(16 * perWidth, () => {
    const x = random.between(0, stage.width);
    const y = random.between(stage.horizon + (stage.height - stage.horizon) * 0.3, stage.height - 12);
    const radius = 4 + (7 * (y - stage.horizon)) / (stage.height - stage.horizon);
    const fill = mix(random.pick(stage.palette.accents), "#ffffff", 0.35);
    const petals = repeat(5, (petal) => {
      const angle = (petal / 5) * 2 * Math.PI;
      return circle({
        x: x + Math.cos(angle) * radius,
        y: y + Math.sin(angle) * radius,
        radius: radius * 0.75,
        fill,
      });
    });
    return petals + circle({ x, y, radius: radius * 0.6, fill: "#ffd75e" });
  });
}
