/** Lines of output that are kept, and shown if the step fails. */
const linesMax = 40;
const detailLettersMax = 60;
const repaintMs = 500;
/** A step that takes less needs no line afterwards. */
const worthMs = 2000;

/**
 * Shows long steps: on a terminal one line that is updated, elsewhere a line when a step begins and one when it ends.
 * The output of a step is kept, and its end is shown if the step fails.
 */
export class Progress {
  #stream;
  #now;
  #name = "";
  #detail = "";
  #startedAt = 0;
  /** @type {string[]} */
  #lines = [];
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {{ readonly isTTY?: boolean | undefined, readonly columns?: number | undefined, write(text: string): unknown }} stream
   * @param {() => number} now Milliseconds.
   */
  constructor(stream, now) {
    this.#stream = stream;
    this.#now = now;
  }

  /** @param {string} name Such as `Install packages`. */
  begin(name) {
    this.end();
    this.#name = name;
    this.#detail = "";
    this.#lines = [];
    this.#startedAt = this.#now();
    if (!this.#stream.isTTY) this.#stream.write(`${name}...\n`);
    else this.#timer = setInterval(() => this.#paint(), repaintMs).unref();
    this.#paint();
  }

  /**
   * Takes a line of the step's output.
   *
   * @param {string} line
   * @param {string} [detail] What the step does now, for the line on a terminal.
   */
  note(line, detail) {
    this.#lines.push(line);
    if (this.#lines.length > linesMax) this.#lines.shift();
    if (detail === undefined || detail === this.#detail) return;
    this.#detail = detail.slice(0, detailLettersMax);
    this.#paint();
  }

  /** The step has succeeded. */
  end() {
    if (this.#name === "") return;
    const elapsedMs = this.#elapsedMs();
    this.#stop();
    if (elapsedMs >= worthMs) this.#stream.write(`${this.#name}: done in ${seconds(elapsedMs)}\n`);
    this.#name = "";
  }

  /** The step has failed: shows the end of its output. */
  fail() {
    const elapsedMs = this.#elapsedMs();
    this.#stop();
    const output = this.#lines.map((line) => `  ${line}\n`).join("");
    this.#stream.write(
      `${this.#name}: failed after ${seconds(elapsedMs)}. The end of its output:\n\n${output}\n`,
    );
    this.#name = "";
  }

  #elapsedMs() {
    return this.#now() - this.#startedAt;
  }

  #stop() {
    clearInterval(this.#timer);
    if (this.#stream.isTTY) this.#stream.write(eraseLine);
  }

  #paint() {
    if (!this.#stream.isTTY) return;
    const text = `${this.#name}  ${seconds(this.#elapsedMs())}  ${this.#detail}`.trimEnd();
    // A pseudo-terminal may have no width.
    this.#stream.write(`${eraseLine}${text.slice(0, (this.#stream.columns || 80) - 1)}`);
  }
}

const eraseLine = "\r\u001b[2K";

/** @param {number} ms */
function seconds(ms) {
  return `${Math.round(ms / 1000)} s`;
}
