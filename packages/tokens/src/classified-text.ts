import type { Steps } from "@model-gateway/runtime/time-slice";
import { type CharacterClasses, isPair } from "./character-classes.js";

/** Longer runs are found in steps before the text is split, so that no call reads more units than this. */
const longRun = 65_536;

const unitsPerStep = 4096;

interface Run {
  readonly classes: number;
  readonly start: number;
  readonly end: number;
}

/** A text and the classes of its characters. An index always points to a whole character. */
export class ClassifiedText {
  readonly text: string;
  readonly #classes: CharacterClasses;
  readonly #longRuns: Run[] = [];

  constructor(text: string, classes: CharacterClasses) {
    this.text = text;
    this.#classes = classes;
  }

  /** Finds the long runs. Needed before `skip` and `skipBack` are called with these classes. */
  *findLongRuns(runs: readonly number[]): Steps<void> {
    const { text } = this;
    if (text.length <= longRun) return;
    const starts = runs.map(() => 0);
    let last = -1;
    for (let index = 0, pauseAt = 0; index < text.length; index = this.after(index)) {
      const found = this.classAt(index);
      if (found !== last) this.#endRuns(runs, starts, index);
      last = found;
      if (index < pauseAt) continue;
      yield;
      pauseAt = index + unitsPerStep;
    }
    this.#endRuns(runs, starts, text.length);
  }

  /** The class of the character at an index: 0 at the end of the text. */
  classAt(index: number): number {
    return index < this.text.length ? this.#classes.at(this.text, index) : 0;
  }

  /** The index of the next character. */
  after(index: number): number {
    return index + (isPair(this.text, index) ? 2 : 1);
  }

  /** The end of a run in these classes. */
  skip(start: number, classes: number): number {
    const { text } = this;
    if (this.#longRuns.length > 0) {
      const run = this.#longRuns.find(
        (each) => each.classes === classes && each.start <= start && start < each.end,
      );
      if (run !== undefined) return run.end;
    }
    let index = start;
    while (index < text.length && (this.#classes.at(text, index) & classes) !== 0) index = this.after(index);
    return index;
  }

  /** The start of a run in these classes that ends at an index, not before `from`. */
  skipBack(end: number, from: number, classes: number): number {
    if (this.#longRuns.length > 0) {
      const run = this.#longRuns.find((each) => each.classes === classes && each.end === end);
      if (run !== undefined) return Math.max(run.start, from);
    }
    let index = end;
    while (index > from) {
      const before = this.#before(index);
      if ((this.#classes.at(this.text, before) & classes) === 0) break;
      index = before;
    }
    return index;
  }

  #before(index: number): number {
    return index >= 2 && isPair(this.text, index - 2) ? index - 2 : index - 1;
  }

  /** Ends the runs whose class stops here, and starts those that begin. */
  #endRuns(runs: readonly number[], starts: number[], index: number): void {
    const before = index === 0 ? 0 : this.classAt(this.#before(index));
    const found = this.classAt(index);
    for (let at = 0; at < runs.length; at += 1) {
      const classes = runs[at] ?? 0;
      const isEnd = (before & classes) !== 0 && (found & classes) === 0;
      const start = starts[at] ?? 0;
      if (isEnd && index - start > longRun) this.#longRuns.push({ classes, start, end: index });
      if ((before & classes) === 0) starts[at] = index;
    }
  }
}
