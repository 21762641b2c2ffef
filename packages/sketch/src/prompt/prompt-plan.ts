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
  /** The hex colour that the prompt gives this subject. */
  readonly colour?: string;
  readonly size?: "small" | "large";
  /** The motif of the subject that this one rides. */
  readonly on?: string;
}

/** The content of a prompt, as far as clip-art can show it. */
export interface PromptPlan {
  readonly subjects: readonly Subject[];
  readonly place?: Place;
  readonly light?: Light;
  readonly weather?: Weather;
  /** Colours of no subject. They tint the whole image. */
  readonly colours: readonly string[];
  /** Words that name no motif. Each becomes an ornament, so that no prompt is ignored. */
  readonly unknown: readonly string[];
}

/** Whether the prompt says anything about the image as a whole. */
export function namesScene({ place, light, weather, colours }: PromptPlan): boolean {
  return place !== undefined || light !== undefined || weather !== undefined || colours.length > 0;
}
