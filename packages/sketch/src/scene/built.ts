import { mix } from "../colour.js";
import type { Stage } from "./stage.js";
import { circle, num, path, repeat, stops } from "./svg.js";

export function city(stage: Stage): string {
  const [far, near, road] = stage.palette.ground;
  const top = stage.horizon + (stage.feet - stage.horizon) * 0.55;
  const dashes = repeat(stage.width / 150, (position) => {
    return `<rect x="${num(position * 150 + 30)}" y="${num((top + stage.height) / 2 + 30)}" width="80" height="11" rx="4" fill="#ffe9a8" opacity=".85"/>`;
  });
  return (
    skyline(stage, {
      name: "far towers",
      fill: mix(far, stage.palette.sky[2], 0.45),
      base: top,
      height: 430,
    }) +
    skyline(stage, { name: "near towers", fill: near, base: top, height: 290 }) +
    `<rect y="${num(top - 4)}" width="${num(stage.width)}" height="26" fill="${mix(road, "#ffffff", 0.45)}"/>` +
    `<rect y="${num(top + 20)}" width="${num(stage.width)}" height="${num(stage.height - top)}" fill="${road}"/>` +
    dashes
  );
}

interface Skyline {
  readonly name: string;
  readonly fill: string;
  readonly base: number;
  readonly height: number;
}

function skyline(stage: Stage, { name, fill, base, height }: Skyline): string {
  const random = stage.random(name);
  const lit = stage.light === "day" || stage.light === "storm" ? mix(fill, "#ffffff", 0.45) : "#ffe08a";
  let drawing = "";
  for (let x = -random.between(0, 60); x < stage.width; ) {
    const width = random.between(75, 140);
    const top = base - Math.min(height, stage.horizon * 0.8) * random.between(0.45, 1);
    drawing += path(
      mix(fill, "#1a2140", random.between(0, 0.12)),
      `M${num(x)} ${num(base)}V${num(top)}h${num(width - 6)}V${num(base)}z`,
    );
    if (stage.detail.shading) drawing += panes({ x, top, width, base, lit, random });
    x += width;
  }
  return drawing;
}

interface Panes {
  readonly x: number;
  readonly top: number;
  readonly width: number;
  readonly base: number;
  readonly lit: string;
  readonly random: { next(): number };
}

/** All windows of one house as a single path: a city has hundreds. */
function panes({ x, top, width, base, lit, random }: Panes): string {
  const columns = Math.floor((width - 20) / 22);
  const rows = Math.min(14, Math.floor((base - top - 30) / 30));
  let steps = "";
  for (let pane = 0; pane < columns * rows; pane++) {
    if (random.next() < 0.4) continue;
    const left = x + 14 + (pane % columns) * 22;
    steps += `M${num(left)} ${num(top + 16 + Math.floor(pane / columns) * 30)}h11v15h-11z`;
  }
  return path(lit, steps, 0.75);
}

export function room(stage: Stage): string {
  const [wall, floor, plank] = stage.palette.ground;
  const side = stage.random("window").pick([0.2, 0.8]);
  const x = stage.width * side - 110;
  const y = stage.horizon * 0.22;
  const height = stage.horizon * 0.46;
  const opening = `M${num(x)} ${num(y)}h220v${num(height)}h-220z`;
  const planks = repeat(6, (line) => {
    const down = stage.horizon + ((stage.height - stage.horizon) * (line + 1) ** 1.4) / 7 ** 1.4;
    return `<rect y="${num(down)}" width="${num(stage.width)}" height="4" fill="${plank}" opacity=".6"/>`;
  });
  return (
    path(
      wall,
      `M0 0H${num(stage.width)}V${num(stage.horizon)}H0ZM${num(x)} ${num(y)}v${num(height)}h220v${num(-height)}z`,
    ) +
    `<path fill="none" stroke="#ffffff" stroke-width="14" d="${opening}M${num(x + 110)} ${num(y)}v${num(height)}M${num(x)} ${num(y + height / 2)}h220"/>` +
    `<rect y="${num(stage.horizon)}" width="${num(stage.width)}" height="${num(stage.height - stage.horizon)}" fill="${floor}"/>` +
    `<rect y="${num(stage.horizon - 16)}" width="${num(stage.width)}" height="18" fill="${mix(wall, "#ffffff", 0.6)}"/>` +
    planks +
    `<ellipse cx="${num(stage.width / 2)}" cy="${num(stage.feet)}" rx="${num(stage.width * 0.36)}" ry="70" fill="${mix(stage.palette.accents[0], "#ffffff", 0.45)}"/>` +
    `<ellipse cx="${num(stage.width / 2)}" cy="${num(stage.feet)}" rx="${num(stage.width * 0.31)}" ry="54" fill="${mix(stage.palette.accents[0], "#ffffff", 0.6)}"/>`
  );
}

/** A plain backdrop with a pale disc, as for a portrait or a product. */
export function studio(stage: Stage): string {
  const x = stage.width / 2;
  const y = stage.height / 2;
  const random = stage.random("confetti");
  const pale = `<radialGradient id="disc">${stops([
    ["#ffffff", 0.85],
    ["#ffffff", 0.6],
    ["#ffffff", 0.34],
  ])}</radialGradient>`;
  const confetti = repeat(20 * stage.detail.abundance, () => {
    const angle = random.between(0, 2 * Math.PI);
    const reach = random.between(420, 640);
    const spot = {
      x: x + (Math.cos(angle) * reach * stage.width) / 1000,
      y: y + (Math.sin(angle) * reach * stage.height) / 1000,
    };
    const radius = random.between(6, 20);
    const fill = random.pick(stage.palette.accents);
    if (random.next() < 0.6) return circle({ ...spot, radius, fill, opacity: 0.6 });
    return `<circle cx="${num(spot.x)}" cy="${num(spot.y)}" r="${num(radius)}" fill="none" stroke="${fill}" stroke-width="6" opacity=".6"/>`;
  });
  return pale + circle({ x, y, radius: 400, fill: "url(#disc)" }) + confetti;
}
