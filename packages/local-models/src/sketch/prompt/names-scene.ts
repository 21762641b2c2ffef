import type { PromptPlan } from "./prompt-plan.js";

/** Whether the prompt says anything about the picture as a whole. */
export function namesScene({ place, light, weather, colours }: PromptPlan): boolean {
  return place !== undefined || light !== undefined || weather !== undefined || colours.length > 0;
}
