import { pluralCount } from "./describing-words.js";
import type { PromptPlan, Subject } from "./prompt-plan.js";
import type { SceneHint } from "./scene-words.js";
import type { VocabularyMatch } from "./vocabulary.js";

const subjectsMax = 8;
const unknownMax = 12;

/** The plan so far. Each method returns the number of words it consumed. */
export class Reading {
  readonly #subjects = new Map<string, Subject>();
  readonly #colours = new Set<string>();
  readonly #unknown = new Set<string>();
  #scene: SceneHint = {};
  #next: Description = {};
  #last: string | undefined;
  #rider: string | undefined;

  describe(description: Description): number {
    if (this.#next.colour !== undefined && description.colour !== undefined)
      this.#colours.add(this.#next.colour);
    this.#next = { ...this.#next, ...description };
    return 1;
  }

  counted(): boolean {
    return this.#next.count !== undefined;
  }

  mount(): number {
    this.#rider = this.#last;
    return 1;
  }

  subject({ motif, length, plural }: VocabularyMatch): number {
    const { count = plural ? pluralCount : 1, denied, ...look } = this.#next;
    const rider = this.#rider;
    this.#next = {};
    this.#rider = undefined;
    this.#last = denied === true ? undefined : motif;
    if (denied === true || (this.#subjects.size >= subjectsMax && !this.#subjects.has(motif))) return length;

    // A second mention means the same subject, so it only adds new details.
    const earlier = this.#subjects.get(motif);
    this.#subjects.set(motif, { ...earlier, motif, ...look, count: Math.max(count, earlier?.count ?? 1) });
    const seated = rider === undefined || rider === motif ? undefined : this.#subjects.get(rider);
    if (seated !== undefined) this.#subjects.set(seated.motif, { ...seated, on: motif });
    return length;
  }

  /** The first word for place, light or weather counts: "a sunny day after the night". */
  scene(hint: SceneHint, length: number): number {
    if (this.#next.denied !== true) this.#scene = { ...hint, ...this.#scene };
    this.#release();
    this.#last = undefined;
    return length;
  }

  unknown(word: string): number {
    if (this.#unknown.size < unknownMax) this.#unknown.add(word);
    return 1;
  }

  plan(): PromptPlan {
    this.#release();
    const subjects = [...this.#subjects.values()];
    return { subjects, ...this.#scene, colours: [...this.#colours], unknown: [...this.#unknown] };
  }

  /** A description without a subject applies to the image: "a purple sky", "in blue". */
  #release(): void {
    if (this.#next.colour !== undefined) this.#colours.add(this.#next.colour);
    this.#next = {};
    this.#rider = undefined;
  }
}

interface Description {
  readonly count?: number;
  readonly colour?: string;
  readonly size?: "small" | "large";
  readonly denied?: boolean;
}
