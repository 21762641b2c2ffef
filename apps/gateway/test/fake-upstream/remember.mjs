/**
 * Keeps a value for its key, among a few at most.
 * @template T
 * @param {Map<string, T>} known
 * @param {string} key
 * @param {T} value
 */
export function remember(known, key, value) {
  if (known.size >= 32) known.clear();
  known.set(key, value);
}
