const lookEveryMs = 1000;
/** Counted in looks. */
const quietAfter = 2;
const tidyAfter = 600;

/**
 * Keeps compiled code over pauses between requests. Some seconds after the last of them V8 tidies up: it collects the
 * whole heap up to three times, and throws away what it compiled for kinds of objects of which there are none left, which
 * is most of what handles requests. The next ones then run like the first ever. V8 tidies up only while it may mark in
 * steps; so it may not in the first ten minutes of a pause. Whatever it must collect then, it collects in one go.
 */
export class QuietTimes {
  readonly #setFlags: (flags: string) => void;
  /** How often in a row nobody was there. */
  #looks = 0;
  #isHeldBack = false;

  /** @param setFlags Those of V8. */
  constructor(setFlags: (flags: string) => void) {
    this.#setFlags = setFlags;
  }

  /** @param underWay How many requests there are at the moment. */
  watch(underWay: () => number): void {
    setInterval(() => {
      if (underWay() > 0) return this.onWork();
      this.#looks += 1;
      if (this.#looks === quietAfter) this.#holdBack();
      if (this.#looks === tidyAfter) this.#letTidyUp();
    }, lookEveryMs).unref();
  }

  onWork(): void {
    this.#looks = 0;
    if (this.#isHeldBack) this.#letTidyUp();
  }

  #holdBack(): void {
    this.#isHeldBack = true;
    this.#setFlags("--no-incremental-marking");
  }

  #letTidyUp(): void {
    this.#isHeldBack = false;
    this.#setFlags("--incremental-marking");
  }
}
