import { gradientSky } from "./backdrop.js";
import { blooms, ornaments } from "./blooms.js";
import type { Composition } from "./compose.js";
import { drawPlacements } from "./draw-placements.js";
import { placeSubjects } from "./place-subjects.js";
import { setStage } from "./set-stage.js";
import { sheet } from "./sheet.js";
import { num } from "./svg.js";
import { weather } from "./weather.js";

/** What an edit lays over a whole picture: the light, the colour and the weather it asks for. */
export function composeWash({ plan, look, library }: Composition): string {
  const stage = setStage(plan, look, library);
  const cover = (fill: string, opacity: number): string =>
    `<rect width="${num(stage.width)}" height="${num(stage.height)}" fill="${fill}" opacity="${opacity}"/>`;
  const tint = plan.colours[0] === undefined ? "" : cover(plan.colours[0], 0.32);
  const shade = plan.light === undefined || plan.light === "day" ? "" : cover(stage.palette.sky[0], 0.45);
  return sheet(stage, look, tint + shade + weather(stage));
}

/** What an edit puts into a picture: its subjects, or flowers for words that name none. */
export function composeFigures({ plan, look, library }: Composition): string {
  const stage = setStage(plan, look, library);
  // The picture below has its own ground, of which nothing is known.
  const bare = {
    ...stage,
    place: "studio" as const,
    floats: false,
    feet: stage.height * 0.95,
    horizon: stage.height,
  };
  if (plan.subjects.length === 0) return sheet(stage, look, blooms(bare, plan.unknown));
  const figures = drawPlacements(bare, placeSubjects(bare, plan.subjects), library);
  return sheet(stage, look, ornaments(bare, plan.unknown) + figures);
}

/** A breath of the picture's own colours over what fills a hole, so that the fill is seen to be one. */
export function composeTint({ plan, look, library }: Composition): string {
  const stage = setStage(plan, look, library);
  return sheet(stage, look, `<g opacity=".1">${gradientSky(stage)}</g>`);
}
