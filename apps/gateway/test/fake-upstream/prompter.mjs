/** @import { Behaviour, Fault, Script, Span } from "./script.js" */
import { setTimeout as wait } from "node:timers/promises";
import { behaviourNamed } from "./named-behaviours.mjs";
import { createRandom } from "./random.mjs";

/** @type {Behaviour} */
const good = {};

/** Says what is to be done with each request, by the script that is followed now. */
export class Prompter {
  /** @type {Script} */
  #script = {};
  /** @type {Behaviour[]} */
  #next = [];
  #random = createRandom(1);
  /** @type {Set<() => void>} */
  #held = new Set();

  /**
   * Requests that come from now on follow this script, and those that were held go on.
   * @param {Script} script
   */
  follow(script) {
    this.#script = script;
    this.#next = [...(script.next ?? [])];
    this.#random = createRandom(script.seed ?? 1);
    for (const release of this.#held) release();
    this.#held.clear();
  }

  /**
   * @param {string} model
   * @returns {Behaviour}
   */
  behaviourFor(model) {
    const { always, models } = this.#script;
    const own = models?.[model] ?? behaviourNamed(model);
    const next = this.#next.shift();
    if (own === undefined && next === undefined) return always ?? good;
    return { ...always, ...own, ...next };
  }

  /**
   * Undefined where nothing goes wrong.
   * @param {Behaviour} behaviour
   * @returns {Fault | undefined}
   */
  faultOf({ faults }) {
    if (faults === undefined) return undefined;
    let point = this.#random() * 100;
    return faults.find(({ percent = 100 }) => {
      point -= percent;
      return point < 0;
    });
  }

  /**
   * Undefined where the answer is due at once.
   * @param {Behaviour} behaviour
   * @returns {Promise<void> | undefined}
   */
  untilDue({ isHeld, delayMs, slow }) {
    const isSlow = slow !== undefined && this.#random() * 100 < slow.percent;
    const ms = this.#within(isSlow ? slow.delayMs : (delayMs ?? 0));
    if (isHeld !== true) return ms > 0 ? wait(ms) : undefined;
    return new Promise((resolve) => this.#held.add(() => resolve(wait(ms))));
  }

  /**
   * @param {Span} span
   * @returns {number}
   */
  #within(span) {
    if (typeof span === "number") return span;
    const [from, to] = span;
    return from + this.#random() * (to - from);
  }
}
