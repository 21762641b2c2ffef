import { mix } from "../colour.js";
import { hill, peaks } from "./landforms.js";
import { firs, flowers } from "./plants.js";
import type { Stage } from "./stage.js";
import { circle, num, path, repeat } from "./svg.js";

export function meadow(stage: Stage): string {
  return rolling(stage) + (stage.detail.shading ? flowers(stage) : "");
}

export function forest(stage: Stage): string {
  const [far, middle, near] = stage.palette.ground;
  const random = stage.random("firs");
  const crowd = (stage.width / 1000) * stage.detail.abundance;
  const haze = mix(far, stage.palette.sky[2], 0.45);
  return (
    hill({ ...across(stage), edge: stage.horizon, rise: 12, fill: haze }, stage.random("far")) +
    firs(stage, { count: 11 * crowd, base: stage.horizon + 24, height: 260, fill: haze }, random) +
    hill({ ...across(stage), edge: stage.horizon + 30, rise: 14, fill: middle }, stage.random("middle")) +
    firs(
      stage,
      { count: 7 * crowd, base: stage.horizon + 62, height: 360, fill: mix(middle, near, 0.5) },
      random,
    ) +
    hill(
      { ...across(stage), edge: stage.horizon + 70, rise: 16, fill: mix(near, far, 0.35) },
      stage.random("near"),
    ) +
    hill({ ...across(stage), edge: stage.feet - 20, rise: 18, fill: near }, stage.random("nearest"))
  );
}

export function mountains(stage: Stage): string {
  const [rock] = stage.palette.ground;
  const rise = Math.min(430, stage.horizon * 0.62);
  const snow = mix("#ffffff", stage.palette.sky[1], 0.12);
  const range = { ...across(stage), edge: stage.horizon + 30, snow };
  return (
    peaks({ ...range, rise, fill: mix(rock, stage.palette.sky[2], 0.5) }, stage.random("far range")) +
    peaks({ ...range, rise: rise * 0.62, fill: rock }, stage.random("near range")) +
    hill(
      { ...across(stage), edge: stage.horizon + 10, rise: 22, fill: stage.palette.ground[1] },
      stage.random("middle"),
    ) +
    hill(
      { ...across(stage), edge: stage.feet - 50, rise: 22, fill: stage.palette.ground[2] },
      stage.random("near"),
    )
  );
}

export function desert(stage: Stage): string {
  const random = stage.random("cacti");
  const green = mix("#3f9d5c", stage.palette.ground[2], 0.25);
  const cacti = repeat(3 * stage.detail.abundance, (position) => {
    const x = stage.width * (position % 2 === 0 ? random.between(0.03, 0.24) : random.between(0.76, 0.97));
    return cactus(x, stage.horizon + random.between(40, 90), random.between(70, 150), green);
  });
  return rolling(stage) + cacti;
}

export function snow(stage: Stage): string {
  const random = stage.random("firs");
  const [far, middle, near] = stage.palette.ground;
  const fir = mix("#3d7f78", middle, 0.3);
  const crowd = (stage.width / 1000) * stage.detail.abundance;
  return (
    hill(
      { ...across(stage), edge: stage.horizon - 30, rise: 34, fill: mix(far, stage.palette.sky[1], 0.35) },
      stage.random("far"),
    ) +
    firs(stage, { count: 6 * crowd, base: stage.horizon + 26, height: 190, fill: fir }, random) +
    hill({ ...across(stage), edge: stage.horizon + 30, rise: 26, fill: far }, stage.random("middle")) +
    hill(
      { ...across(stage), edge: stage.feet - 60, rise: 20, fill: mix(middle, near, 0.6) },
      stage.random("near"),
    )
  );
}

/** Three hills, paler with distance. */
function rolling(stage: Stage): string {
  const [far, middle, near] = stage.palette.ground;
  const depth = stage.feet - stage.horizon;
  return (
    hill(
      { ...across(stage), edge: stage.horizon - 20, rise: 40, fill: mix(far, stage.palette.sky[2], 0.45) },
      stage.random("farthest"),
    ) +
    hill({ ...across(stage), edge: stage.horizon + 15, rise: 30, fill: far }, stage.random("far")) +
    hill(
      { ...across(stage), edge: stage.horizon + depth * 0.45, rise: 24, fill: middle },
      stage.random("middle"),
    ) +
    hill({ ...across(stage), edge: stage.feet - depth * 0.1, rise: 20, fill: near }, stage.random("near"))
  );
}

function cactus(x: number, base: number, height: number, fill: string): string {
  const thick = height * 0.2;
  const column = (left: number, top: number, bottom: number): string =>
    `M${num(left)} ${num(bottom)}V${num(top)}q${num(thick / 2)} ${num(-thick)} ${num(thick)} 0V${num(bottom)}z`;
  const arms = `${column(x - height * 0.32, base - height * 0.62, base - height * 0.3)}${column(x + height * 0.3, base - height * 0.75, base - height * 0.42)}`;
  const joint = `M${num(x - height * 0.32)} ${num(base - height * 0.42)}h${num(height * 0.4)}v${num(thick * 0.8)}h${num(-height * 0.4)}zM${num(x + thick / 2)} ${num(base - height * 0.55)}h${num(height * 0.4)}v${num(thick * 0.8)}h${num(-height * 0.4)}z`;
  return (
    path(fill, column(x, base - height, base) + arms + joint) +
    circle({ x: x + thick / 2, y: base - height - thick * 0.4, radius: thick * 0.3, fill: "#ff7aa8" })
  );
}

function across(stage: Stage): { width: number; bottom: number } {
  return { width: stage.width, bottom: stage.height };
}
