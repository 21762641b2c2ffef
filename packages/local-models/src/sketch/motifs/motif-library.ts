/** The picture set's own sections; they say where a motif belongs when the prompt does not. */
export type MotifSection = "nature" | "people" | "travel" | "things";

/** One drawing on a square of 32 by 32. */
export interface Motif {
  readonly name: string;
  readonly svg: string;
  readonly section: MotifSection;
}

/** Everything that can be drawn by name. */
export interface MotifLibrary {
  readonly motifs: ReadonlyMap<string, Motif>;
  /** Emoji characters and the names of their motifs. */
  readonly emoji: ReadonlyMap<string, string>;
}
