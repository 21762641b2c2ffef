import type { Composition } from "./scene/compose.js";

/** What an edit needs besides its own options. */
export interface EditTools extends Omit<Composition, "look"> {
  readonly signal?: AbortSignal;
}
