import type { MotifLibrary } from "../motifs/motif-library.js";
import type { PromptPlan } from "../prompt/prompt-plan.js";
import type { SketchOptions } from "../sketch-options.js";
import { backdrop, foreground, vignette } from "./backdrop.js";
import { blooms, ornaments } from "./blooms.js";
import { placeSubjects } from "./place-subjects.js";
import { composePlacements } from "./placement.js";
import { weather } from "./sky.js";
import { type Stage, setStage } from "./stage.js";
import { circle, num } from "./svg.js";

/** The plan of an image, and its look. */
export interface Composition {
  readonly plan: PromptPlan;
  readonly look: Pick<SketchOptions, "prompt" | "index" | "quality" | "width" | "height">;
  readonly library: MotifLibrary;
}

/** A whole image: the scene with the subjects in it. */
export function composeScene({ plan, look, library }: Composition): string {
  const stage = setStage(plan, look, library);
  return sheet(stage, look, scene(stage, plan, library));
}

/** The subjects on a transparent background. A scene without subjects becomes a round sticker. */
export function composeSticker({ plan, look, library }: Composition): string {
  const stage = setStage(plan, look, library);
  if (plan.subjects.length > 0) {
    const bare = { ...stage, floats: true, feet: stage.height * 0.76 };
    return sheet(
      stage,
      look,
      ornaments(bare, plan.unknown) + composePlacements(bare, placeSubjects(bare, plan.subjects), library),
    );
  }
  if (stage.place === "abstract") return sheet(stage, look, blooms(stage, plan.unknown));
  const disc = circle({ x: stage.width / 2, y: stage.height / 2, radius: 480, fill: "#ffffff" });
  return sheet(
    stage,
    look,
    `<clipPath id="disc-edge">${disc}</clipPath><g clip-path="url(#disc-edge)">${scene(stage, plan, library)}</g>`,
  );
}

function scene(stage: Stage, plan: PromptPlan, library: MotifLibrary): string {
  const words =
    stage.place === "abstract" && plan.subjects.length === 0
      ? blooms(stage, plan.unknown)
      : ornaments(stage, plan.unknown);
  return (
    backdrop(stage) +
    words +
    composePlacements(stage, placeSubjects(stage, plan.subjects), library) +
    foreground(stage) +
    weather(stage) +
    vignette(stage)
  );
}

/** The light, colour and weather of an edit, laid over the whole image. */
export function composeWash({ plan, look, library }: Composition): string {
  const stage = setStage(plan, look, library);
  const cover = (fill: string, opacity: number): string =>
    `<rect width="${num(stage.width)}" height="${num(stage.height)}" fill="${fill}" opacity="${opacity}"/>`;
  const tint = plan.colours[0] === undefined ? "" : cover(plan.colours[0], 0.32);
  const shade = plan.light === undefined || plan.light === "day" ? "" : cover(stage.palette.sky[0], 0.45);
  return sheet(stage, look, tint + shade + weather(stage));
}

/** The subjects of an edit, or flowers for words that name no motif. */
export function composeFigures({ plan, look, library }: Composition): string {
  const stage = setStage(plan, look, library);
  // The ground's place in the image below is unknown.
  const bare = {
    ...stage,
    place: "studio" as const,
    floats: false,
    feet: stage.height * 0.95,
    horizon: stage.height,
  };
  if (plan.subjects.length === 0) return sheet(stage, look, blooms(bare, plan.unknown));
  const figures = composePlacements(bare, placeSubjects(bare, plan.subjects), library);
  return sheet(stage, look, ornaments(bare, plan.unknown) + figures);
}

/** Stretches the units to exactly the requested pixels. */
function sheet(stage: Stage, { width, height }: { width: number; height: number }, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${stage.width} ${stage.height}" preserveAspectRatio="none">${body}</svg>`;
}
