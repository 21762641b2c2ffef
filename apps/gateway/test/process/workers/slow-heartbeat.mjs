/** Loaded before a gateway: a worker that hangs is killed after two minutes instead of ten seconds. */
const factor = 12;

const { setInterval } = globalThis;
/** @param {Parameters<typeof setInterval>} given */
const slow = (...[callback, ms = 0, ...more]) => setInterval(callback, ms * factor, ...more);
globalThis.setInterval = Object.defineProperties(
  /** @type {typeof setInterval} */ (slow),
  Object.getOwnPropertyDescriptors(setInterval),
);
