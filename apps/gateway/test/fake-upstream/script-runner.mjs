/** @import { Behaviour, Fault, Script, Span } from "./script.js" */
import { setTimeout as wait } from "node:timers/promises";
import { lies } from "./lies.mjs";

/** @type {Behaviour} */
const faultless = {};

/** Chooses the behaviour, the fault and the delay of each request, by the current script. */
export class ScriptRunner {
  /** @type {Script} */
  #script = {};
  /** @type {Behaviour[]} */
  #next = [];
  #random = createRandom(1);
  /** @type {Set<() => void>} */
  #held = new Set();

  /** The reply to a model list request. */
  get listed() {
    return this.#script.listed ?? [];
  }

  /**
   * Requests that arrive from now on follow this script. Held requests go on.
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
    if (own === undefined && next === undefined) return always ?? faultless;
    return { ...always, ...own, ...next };
  }

  /**
   * The fault of one request, or undefined.
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
   * Resolves when the reply is due. Returns undefined if it is due at once, so that no promise is created.
   * @param {Behaviour} behaviour
   * @returns {Promise<void> | undefined}
   */
  untilDue({ isHeld, delayMs, slow }) {
    const isSlow = slow !== undefined && this.#random() * 100 < slow.percent;
    const ms = this.#delayIn(isSlow ? slow.delayMs : (delayMs ?? 0));
    if (isHeld !== true) return ms > 0 ? wait(ms) : undefined;
    return new Promise((resolve) => this.#held.add(() => resolve(wait(ms))));
  }

  /**
   * @param {Span} span
   * @returns {number}
   */
  #delayIn(span) {
    if (typeof span === "number") return span;
    const [from, to] = span;
    return from + this.#random() * (to - from);
  }
}

/**
 * The behaviour of a model by its name, for configurations that choose faults by model: the name of a lie, `status-503`
 * or any other status, and the names below.
 * @param {string} model
 * @returns {Behaviour | undefined}
 */
function behaviourNamed(model) {
  const known = named.get(model);
  if (known !== undefined) return known;
  const status = model.startsWith("status-") ? Number(model.slice(7)) : 0;
  return status > 0 ? { faults: [{ kind: "reply", status, headers: { "retry-after": "7" } }] } : undefined;
}

const moderation = {
  message: "Rejected by the safety system.",
  type: "image_generation_user_error",
  param: null,
  code: "moderation_blocked",
};

/** @type {readonly (readonly [string, Behaviour])[]} */
const byName = [
  ["stall", { faults: [{ kind: "stall" }] }],
  ["stall-after-headers", { faults: [{ kind: "stall", afterBytes: 0 }] }],
  ["stall-before-end", { faults: [{ kind: "stall", afterBytes: -1 }] }],
  ["cut", { faults: [{ kind: "cut", afterBytes: 25 }] }],
  ["garbage", { faults: [{ kind: "garbage" }] }],
  ["moderated", { faults: [{ kind: "reply", status: 400, body: { error: moderation } }] }],
];

const named = new Map(byName);
for (const lie of Object.keys(lies)) named.set(lie, { faults: [{ kind: "lie", lie }] });

/**
 * Mulberry32: numbers from 0 to 1, the same for the same seed.
 * @param {number} seed
 * @returns {() => number}
 */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
