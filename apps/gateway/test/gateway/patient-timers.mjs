/**
 * Loaded before a gateway: what it waits for only so long may take twenty times as long, such as Redis, a disk or another
 * worker. On a busy machine it would go on without them, which is right, and not what these tests are about.
 */
const shortest = 100;
const longest = 10_000;
const factor = 20;

const { setTimeout } = globalThis;
/** @param {Parameters<typeof setTimeout>} given */
const patient = (...[callback, ms = 0, ...more]) =>
  setTimeout(callback, ms >= shortest && ms <= longest ? ms * factor : ms, ...more);
globalThis.setTimeout = Object.defineProperties(
  /** @type {typeof setTimeout} */ (patient),
  Object.getOwnPropertyDescriptors(setTimeout),
);
