import type { Place } from "../prompt/prompt-plan.js";
import { ribbons } from "./blooms.js";
import { city, room, studio } from "./built.js";
import { desert, forest, meadow, mountains, snow } from "./land.js";
import { grass } from "./plants.js";
import { sky } from "./sky.js";
import type { Stage } from "./stage.js";
import { num, stops } from "./svg.js";
import { beach, lake, nearWater, sea, underwater } from "./water.js";

const grounds: Readonly<Record<Place, (stage: Stage) => string>> = {
  abstract: ribbons,
  beach,
  city,
  desert,
  forest,
  lake,
  meadow,
  mountains,
  room,
  sea,
  sky: () => "",
  snow,
  space: () => "",
  studio,
  underwater,
};

/** Everything behind the subjects. It covers the whole image. */
export function backdrop(stage: Stage): string {
  return openSky(stage) + grounds[stage.place](stage);
}

/** Water or grass in front of the subjects' feet. */
export function foreground(stage: Stage): string {
  if (stage.place === "sea" || stage.place === "lake") return nearWater(stage);
  const grown = stage.place === "meadow" || stage.place === "forest" || stage.place === "mountains";
  return grown && stage.detail.shading ? grass(stage, stage.palette.ground[2]) : "";
}

/** Darkens the corners, which leads the eye to the middle. */
export function vignette(stage: Stage): string {
  if (!stage.detail.finish) return "";
  const shade = stops([
    ["#0b1030", 0],
    ["#0b1030", 0],
    ["#0b1030", 0.15],
  ]);
  return `<radialGradient id="vignette" r=".75">${shade}</radialGradient><rect width="${num(stage.width)}" height="${num(stage.height)}" fill="url(#vignette)"/>`;
}

/** A plain wall has no sun and no clouds. */
function openSky(stage: Stage): string {
  return stage.place === "studio" || stage.place === "abstract" ? gradientSky(stage) : sky(stage);
}

/** The sky without sun, stars or clouds. */
function gradientSky(stage: Stage): string {
  const wall = `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">${stops(stage.palette.sky)}</linearGradient>`;
  return `${wall}<rect width="${num(stage.width)}" height="${num(stage.height)}" fill="url(#sky)"/>`;
}
