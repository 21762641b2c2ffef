import type { Random } from "../random.js";
import { num, path } from "./svg.js";

interface Landform {
  readonly width: number;
  readonly bottom: number;
  /** The mean y of the edge. */
  readonly edge: number;
  /** Deviation of the edge from its mean. */
  readonly rise: number;
  readonly fill: string;
  readonly opacity?: number;
}

/** Rolling ground: a smooth edge from side to side, filled down to the bottom. */
export function hill(form: Landform, random: Random): string {
  const bumps = 3 + random.whole(0, 1);
  const step = form.width / bumps;
  const height = (): number => form.edge + random.between(-form.rise, form.rise);
  let steps = `M0 ${num(height())}`;
  let last = { x: 0, y: form.edge };
  for (let bump = 1; bump <= bumps; bump++) {
    const next = { x: bump * step, y: height() };
    const middle = (last.x + next.x) / 2;
    steps += `C${num(middle)} ${num(last.y)} ${num(middle)} ${num(next.y)} ${num(next.x)} ${num(next.y)}`;
    last = next;
  }
  return path(form.fill, `${steps}V${num(form.bottom)}H0Z`, form.opacity);
}

/** Water: even waves from side to side, filled down to the bottom. */
export function waves(form: Landform, random: Random): string {
  const length = random.between(110, 150);
  const start = -random.between(0, length);
  let steps = `M${num(start)} ${num(form.edge)}`;
  for (let x = start; x < form.width; x += length) {
    steps += `q${num(length / 4)} ${num(-form.rise)} ${num(length / 2)} 0t${num(length / 2)} 0`;
  }
  return path(form.fill, `${steps}V${num(form.bottom)}H${num(start)}Z`, form.opacity);
}

interface Peaks extends Landform {
  readonly snow: string;
}

/** A mountain range with snow on its peaks and one side of each in shadow. */
export function peaks(form: Peaks, random: Random): string {
  const count = Math.max(3, Math.round(form.width / 330));
  const step = form.width / count;
  let drawing = "";
  for (let peak = 0; peak <= count; peak++) {
    const x = (peak + random.between(-0.2, 0.2)) * step;
    const height = form.rise * random.between(0.6, 1);
    const top = form.edge - height;
    const foot = height * random.between(0.85, 1.05);
    const cap = height * 0.3;
    drawing += path(
      form.fill,
      `M${num(x - foot)} ${num(form.edge)}L${num(x)} ${num(top)}L${num(x + foot)} ${num(form.edge)}Z`,
    );
    drawing += path(
      "#10204a",
      `M${num(x)} ${num(top)}L${num(x + foot)} ${num(form.edge)}H${num(x + foot * 0.15)}Z`,
      0.13,
    );
    const side = (foot / height) * cap;
    drawing += path(
      form.snow,
      `M${num(x)} ${num(top)}l${num(side)} ${num(cap)}l${num(-side * 0.5)} ${num(-cap * 0.22)}l${num(-side * 0.4)} ${num(cap * 0.34)}l${num(-side * 0.45)} ${num(-cap * 0.36)}l${num(-side * 0.65)} ${num(cap * 0.24)}Z`,
      0.92,
    );
  }
  return drawing;
}
