import { mix } from "../colour.js";
import type { Random } from "../random.js";
import type { Stage } from "./stage.js";
import { circle, num, path, repeat, stops } from "./svg.js";

/** The sky with its sun or moon, stars and clouds, over the whole image. */
export function sky(stage: Stage): string {
  const { palette, light, place } = stage;
  const shades = stage.detail.shading ? palette.sky : [palette.sky[0], palette.sky[2]];
  const bottom =
    place === "space" || place === "underwater" ? 1 : Math.min(1, (stage.horizon / stage.height) * 1.1);
  const gradient = `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="${bottom.toFixed(3)}">${stops(shades)}</linearGradient>`;
  const field = `<rect width="${num(stage.width)}" height="${num(stage.height)}" fill="url(#sky)"/>`;
  if (place === "underwater") return gradient + field;
  const dark = light === "night" || place === "space";
  return (
    gradient + field + (dark ? stars(stage) : "") + lamp(stage) + (place === "space" ? "" : clouds(stage))
  );
}

function stars(stage: Stage): string {
  const random = stage.random("stars");
  const area = (stage.width * stage.horizon) / 1e6;
  return repeat(Math.min(900, 110 * area * stage.detail.abundance), () => {
    const radius = random.next() < 0.12 ? random.between(3, 4.5) : random.between(1, 2.4);
    const y = random.between(0, stage.place === "space" ? stage.height : stage.horizon);
    return circle({
      x: random.between(0, stage.width),
      y,
      radius,
      fill: "#fff8e0",
      opacity: random.between(0.35, 1),
    });
  });
}

/** The x of the sun or moon as a share of the width. */
export function lampShare(stage: Stage): number {
  const random = stage.random("lamp side");
  return random.pick([0.17, 0.83]) + random.between(-0.03, 0.03);
}

/** The sun or moon. It keeps away from the middle, where the subjects are. */
function lamp(stage: Stage): string {
  const random = stage.random("lamp");
  const x = stage.width * lampShare(stage);
  const high = Math.min(stage.horizon * random.between(0.24, 0.32), 420);
  if (stage.light === "storm") return "";
  if (stage.place === "space") return planet(x, Math.min(stage.height * 0.2, 400), random);
  if (stage.light === "night")
    return glow(stage, { x, y: high, radius: 62, fill: "#fdf0c4" }) + moonMarks(x, high);
  if (stage.light === "day") return glow(stage, { x, y: high, radius: 66, fill: "#ffd84d" });
  const low = stage.horizon - random.between(40, 90);
  return glow(stage, { x: stage.width * random.between(0.3, 0.7), y: low, radius: 105, fill: "#fff0b8" });
}

function glow(stage: Stage, disc: { x: number; y: number; radius: number; fill: string }): string {
  const { x, y, radius, fill } = disc;
  if (!stage.detail.shading) return circle(disc);
  const halo = `<radialGradient id="halo">${stops([
    [fill, 0.75],
    [fill, 0.25],
    [fill, 0],
  ])}</radialGradient>`;
  return (
    halo +
    circle({ x, y, radius: radius * 3.4, fill: "url(#halo)" }) +
    circle({ x, y, radius, fill: mix(fill, "#ffffff", 0.12) })
  );
}

function moonMarks(x: number, y: number): string {
  const marks = [
    [-20, -14, 13],
    [18, 10, 17],
    [-10, 28, 8],
    [26, -26, 7],
  ] as const;
  return marks
    .map(([right, down, radius]) =>
      circle({ x: x + right, y: y + down, radius, fill: "#e2cf94", opacity: 0.55 }),
    )
    .join("");
}

function planet(x: number, y: number, random: Random): string {
  const fill = random.pick(["#f2a65e", "#7fb7e8", "#d58ad6", "#8fd6b4"]);
  const bands = path(
    mix(fill, "#ffffff", 0.35),
    `M${num(x - 83)} ${num(y - 20)}q80 26 166 -4v26q-88 30 -168 4z`,
    0.6,
  );
  const shade = path(
    "#0a0d2e",
    `M${num(x + 10)} ${num(y - 84)}a85 85 0 1 1 -60 144a98 98 0 0 0 60 -144z`,
    0.28,
  );
  const ring = `<ellipse cx="${num(x)}" cy="${num(y)}" rx="140" ry="30" fill="none" stroke="${mix(fill, "#ffffff", 0.55)}" stroke-width="9" opacity=".75" transform="rotate(-16 ${num(x)} ${num(y)})"/>`;
  return circle({ x, y, radius: 85, fill }) + bands + shade + ring;
}

function clouds(stage: Stage): string {
  const random = stage.random("clouds");
  const heavy = stage.light === "storm";
  const fill = heavy ? "#8d99ab" : mix("#ffffff", stage.palette.sky[1], stage.light === "day" ? 0.05 : 0.55);
  const count = Math.min(
    14,
    (stage.width / 1000) * stage.detail.abundance * (heavy || stage.place === "sky" ? 6 : 3.2) + 1,
  );
  return repeat(count, (position) => {
    const x = ((position + random.between(0.1, 0.9)) / count) * stage.width;
    const y = stage.horizon * random.between(0.1, stage.place === "sky" ? 0.95 : 0.55);
    // A cloud must not cover the moon, the only light of the night.
    if (stage.light === "night" && Math.abs(x - stage.width * lampShare(stage)) < 230) return "";
    return cloud(x, y, {
      size: random.between(70, 125) * (heavy ? 1.4 : 1),
      fill,
      opacity: random.between(0.6, 0.92),
    });
  });
}

function cloud(x: number, y: number, look: { size: number; fill: string; opacity: number }): string {
  const { size, fill, opacity } = look;
  const puffs = [
    [-0.75, 0, 0.38],
    [-0.25, -0.25, 0.5],
    [0.35, -0.15, 0.44],
    [0.8, 0.04, 0.32],
  ] as const;
  const round = puffs.map(([right, down, radius]) =>
    circle({ x: x + right * size, y: y + down * size, radius: radius * size, fill }),
  );
  const floor = `<rect x="${num(x - size * 1.1)}" y="${num(y - size * 0.02)}" width="${num(size * 2.2)}" height="${num(size * 0.38)}" rx="${num(size * 0.19)}" fill="${fill}"/>`;
  return `<g opacity="${opacity.toFixed(2)}">${round.join("")}${floor}</g>`;
}

/** Snow, rain or fog, in front of everything else. */
export function weather(stage: Stage): string {
  const area = Math.min(8, (stage.width * stage.height) / 1e6) * stage.detail.abundance;
  const random = stage.random("weather");
  const x = (): number => random.between(0, stage.width);
  const y = (): number => random.between(0, stage.height);
  switch (stage.weather) {
    case "snow":
      return repeat(90 * area, () =>
        circle({
          x: x(),
          y: y(),
          radius: random.between(3, 9),
          fill: "#ffffff",
          opacity: random.between(0.5, 0.95),
        }),
      );
    case "rain": {
      const drops = repeat(120 * area, () => `M${num(x())} ${num(y())}l-9 ${num(random.between(26, 44))}`);
      return `<path fill="none" stroke="#dcecff" stroke-width="3.5" stroke-linecap="round" opacity=".55" d="${drops}"/>`;
    }
    case "fog":
      return repeat(5, (band) => {
        const top = stage.horizon * (0.55 + band * 0.16) + random.between(-30, 30);
        return `<rect x="-60" y="${num(top)}" width="${num(stage.width + 120)}" height="${num(random.between(50, 110))}" rx="50" fill="#ffffff" opacity=".3"/>`;
      });
    default:
      return "";
  }
}
