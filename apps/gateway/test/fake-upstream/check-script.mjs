/** @import { Script } from "./script.js" */
import { lies } from "./lies.mjs";

/**
 * Refuses a script with an unknown key or value: a misspelt fault would never happen, and its test would pass.
 * @param {unknown} value
 * @returns {Script}
 */
export function checkScript(value) {
  const script = known(value, "the script", ["always", "models", "next", "seed", "listed"]);
  const models = script.models === undefined ? [] : Object.values(record(script.models, "models"));
  const behaviours = [script.always ?? {}, ...models, .../** @type {unknown[]} */ (script.next ?? [])];
  for (const behaviour of behaviours) checkBehaviour(behaviour);
  return /** @type {Script} */ (value);
}

const behaviourKeys = [
  "isHeld",
  "delayMs",
  "slow",
  "faults",
  "width",
  "vectors",
  "encoding",
  "order",
  "inputsMax",
  "tokensMax",
  "images",
  "imageVectors",
];
/** @type {Readonly<Record<string, readonly string[]>>} */
const faultKeys = {
  reply: ["status", "headers", "body"],
  stall: ["afterBytes"],
  cut: ["afterBytes"],
  reset: ["afterBytes"],
  drip: ["bytes", "everyMs"],
  garbage: [],
  lie: ["lie"],
};

/** @param {unknown} value */
function checkBehaviour(value) {
  const behaviour = known(value, "a behaviour", behaviourKeys);
  let percentSum = 0;
  for (const each of /** @type {unknown[]} */ (behaviour.faults ?? [])) {
    const { kind, lie, percent = 100 } = record(each, "a fault");
    const keys = faultKeys[String(kind)];
    if (keys === undefined) throw new TypeError(`Unknown kind of fault: ${String(kind)}.`);
    known(each, `a fault of the kind ${String(kind)}`, ["kind", "percent", ...keys]);
    if (kind === "lie" && !Object.hasOwn(lies, String(lie)))
      throw new TypeError(`Unknown lie: ${String(lie)}.`);
    percentSum += Number(percent);
  }
  if (percentSum > 100) throw new TypeError(`The faults of a behaviour add up to ${percentSum} percent.`);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {readonly string[]} keys
 */
function known(value, name, keys) {
  const object = record(value, name);
  const unknown = Object.keys(object).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new TypeError(`Unknown key '${unknown}' in ${name}.`);
  return object;
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function record(value, name) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${name} is not an object.`);
  return /** @type {Record<string, unknown>} */ (value);
}
