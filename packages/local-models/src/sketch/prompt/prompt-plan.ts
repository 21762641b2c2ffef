export type Place =
  | "abstract"
  | "beach"
  | "city"
  | "desert"
  | "forest"
  | "lake"
  | "meadow"
  | "mountains"
  | "room"
  | "sea"
  | "sky"
  | "snow"
  | "space"
  | "studio"
  | "underwater";

export type Light = "day" | "dawn" | "sunset" | "night" | "storm";

export type Weather = "fog" | "rain" | "snow";

export interface Subject {
  readonly motif: string;
  readonly count: number;
  /** A hex colour the prompt gave this subject. */
  readonly colour?: string;
  readonly size?: "small" | "large";
  /** The motif of the subject that this one sits on. */
  readonly on?: string;
}

/** What a prompt asks for, as far as clip-art can show it. */
export interface PromptPlan {
  readonly subjects: readonly Subject[];
  readonly place?: Place;
  readonly light?: Light;
  readonly weather?: Weather;
  /** Colours that belong to no subject; they tint the whole picture. */
  readonly colours: readonly string[];
  /** Words that nothing stands for; each becomes an ornament, so that no prompt is ignored. */
  readonly unknown: readonly string[];
}
