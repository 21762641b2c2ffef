import { mix } from "../colour.js";
import { hill, waves } from "./landforms.js";
import { firs } from "./plants.js";
import type { Stage } from "./stage.js";
import { circle, num, path, repeat } from "./svg.js";

export function sea(stage: Stage): string {
  const { horizon, feet } = stage;
  return (
    surface(stage, horizon, stage.palette.ground[0]) +
    sparkle(stage, horizon, feet) +
    swell(stage, [0.3, 0.65, 0.95])
  );
}

export function lake(stage: Stage): string {
  const [shore, water] = stage.palette.ground;
  const bank = { width: stage.width, bottom: stage.height };
  const trees = {
    count: 8 * stage.detail.abundance * (stage.width / 1000),
    base: stage.horizon + 8,
    height: 130,
  };
  return (
    hill(
      { ...bank, edge: stage.horizon - 60, rise: 45, fill: mix(shore, stage.palette.sky[2], 0.5) },
      stage.random("far"),
    ) +
    hill({ ...bank, edge: stage.horizon - 14, rise: 14, fill: shore }, stage.random("bank")) +
    firs(stage, { ...trees, fill: mix(shore, "#1d5a4a", 0.5) }, stage.random("firs")) +
    surface(stage, stage.horizon + 8, water) +
    sparkle(stage, stage.horizon + 10, stage.feet) +
    swell(stage, [0.55, 0.95])
  );
}

export function beach(stage: Stage): string {
  const [deep, shallow, sand] = stage.palette.ground;
  const edge = stage.horizon + (stage.feet - stage.horizon) * 0.4;
  const strand = { width: stage.width, bottom: stage.height, rise: 14 };
  return (
    surface(stage, stage.horizon, deep) +
    sparkle(stage, stage.horizon, edge) +
    hill({ ...strand, edge: edge - 26, fill: shallow }, stage.random("shallow")) +
    hill({ ...strand, edge: edge - 6, fill: "#ffffff", opacity: 0.75 }, stage.random("foam")) +
    hill({ ...strand, edge: edge + 8, fill: sand }, stage.random("foam")) +
    hill({ ...strand, edge: stage.feet + 20, fill: mix(sand, "#c98f4b", 0.14) }, stage.random("near"))
  );
}

export function underwater(stage: Stage): string {
  const random = stage.random("rays");
  const rays = repeat(stage.detail.shading ? 5 : 2, (position) => {
    const x = ((position + random.between(0.1, 0.9)) / 5) * stage.width;
    const spread = random.between(60, 150);
    return path(
      "#ffffff",
      `M${num(x)} 0h${num(spread * 0.5)}L${num(x - 120 + spread * 2)} ${num(stage.height)}H${num(x - 180)}Z`,
      0.08,
    );
  });
  const bubbles = repeat(22 * stage.detail.abundance, () => {
    const y = random.between(0, stage.feet);
    return circle({
      x: random.between(0, stage.width),
      y,
      radius: random.between(4, 15),
      fill: "#ffffff",
      opacity: random.between(0.12, 0.4),
    });
  });
  const floor = { width: stage.width, bottom: stage.height, rise: 24 };
  return (
    rays +
    hill(
      {
        ...floor,
        edge: stage.height * 0.84,
        rise: 40,
        fill: mix(stage.palette.ground[0], stage.palette.sky[2], 0.4),
      },
      stage.random("far"),
    ) +
    bubbles +
    hill({ ...floor, edge: stage.height * 0.9, fill: stage.palette.ground[1] }, stage.random("floor")) +
    weeds(stage)
  );
}

/** Water in front of floating subjects, so that they lie in the water and not on it. */
export function nearWater(stage: Stage): string {
  const near = stage.palette.ground[2];
  const front = { width: stage.width, bottom: stage.height, rise: 15 };
  return (
    waves(
      { ...front, edge: stage.feet - 14, fill: mix(near, "#ffffff", 0.16), opacity: 0.92 },
      stage.random("first wave"),
    ) +
    waves(
      { ...front, edge: stage.feet + (stage.height - stage.feet) * 0.4, fill: near },
      stage.random("last wave"),
    )
  );
}

function surface(stage: Stage, top: number, fill: string): string {
  return `<rect y="${num(top)}" width="${num(stage.width)}" height="${num(stage.height - top)}" fill="${fill}"/>`;
}

function swell(stage: Stage, depths: readonly number[]): string {
  const [far, middle] = stage.palette.ground;
  return depths
    .map((depth) => {
      const edge = stage.horizon + (stage.feet - stage.horizon) * depth;
      const form = { width: stage.width, bottom: stage.height, edge, rise: 5 + depth * 9 };
      return waves({ ...form, fill: mix(far, middle, depth) }, stage.random(`wave ${depth}`));
    })
    .join("");
}

/** Short lines of light on the water. */
function sparkle(stage: Stage, top: number, bottom: number): string {
  const random = stage.random("sparkle");
  return repeat(26 * stage.detail.abundance, () => {
    const y = random.between(top + 6, bottom);
    const length = random.between(14, 60);
    return `<rect x="${num(random.between(0, stage.width))}" y="${num(y)}" width="${num(length)}" height="4" rx="2" fill="${stage.palette.sky[2]}" opacity=".5"/>`;
  });
}

function weeds(stage: Stage): string {
  const random = stage.random("weeds");
  return repeat(9 * stage.detail.abundance, (position) => {
    const x = stage.width * (position % 2 === 0 ? random.between(0, 0.28) : random.between(0.72, 1));
    const base = stage.height * random.between(0.9, 0.98);
    const height = random.between(90, 240);
    const sway = random.between(18, 34);
    const line = `M${num(x)} ${num(base)}q${num(sway)} ${num(-height / 4)} 0 ${num(-height / 2)}t0 ${num(-height / 2)}`;
    return `<path fill="none" stroke="${random.pick(["#2f9e6b", "#45b97c", "#1f7f6b"])}" stroke-width="13" stroke-linecap="round" d="${line}"/>`;
  });
}
