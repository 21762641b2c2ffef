/**
 * Loaded before a gateway: its waits for Redis, a disk or another worker may take twenty times as long. On a busy
 * machine it would correctly go on without them, which these tests do not cover.
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
