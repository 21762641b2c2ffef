import type { MotifLibrary } from "../motifs/motif-library.js";
import type { PromptPlan } from "../prompt/prompt-plan.js";
import type { SketchOptions } from "../sketch-options.js";
import { backdrop, foreground, vignette } from "./backdrop.js";
import { blooms, ornaments } from "./blooms.js";
import { drawPlacements } from "./draw-placements.js";
import { placeSubjects } from "./place-subjects.js";
import { setStage } from "./set-stage.js";
import { sheet } from "./sheet.js";
import type { Stage } from "./stage.js";
import { circle } from "./svg.js";
import { weather } from "./weather.js";

/** What is drawn, and how large. */
export interface Composition {
  readonly plan: PromptPlan;
  readonly look: Pick<SketchOptions, "prompt" | "index" | "quality" | "width" | "height">;
  readonly library: MotifLibrary;
}

/** A whole picture: the scene with the subjects in it. */
export function composeScene({ plan, look, library }: Composition): string {
  const stage = setStage(plan, look, library);
  return sheet(stage, look, scene(stage, plan, library));
}

/** The subjects alone, on nothing. A scene without subjects becomes a round sticker. */
export function composeSticker({ plan, look, library }: Composition): string {
  const stage = setStage(plan, look, library);
  if (plan.subjects.length > 0) {
    const bare = { ...stage, floats: true, feet: stage.height * 0.76 };
    return sheet(
      stage,
      look,
      ornaments(bare, plan.unknown) + drawPlacements(bare, placeSubjects(bare, plan.subjects), library),
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
    drawPlacements(stage, placeSubjects(stage, plan.subjects), library) +
    foreground(stage) +
    weather(stage) +
    vignette(stage)
  );
}
