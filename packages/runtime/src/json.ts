/** An object whose values are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of unknown shape is an object whose keys can be read. Arrays are not. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under a key, or an empty one. For values whose shape is not checked yet. */
export function objectAt(value: unknown, key: string): Record<string, unknown> {
  const inner = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
}

/** For `JSON.stringify`: equal values give equal texts, whatever the order of their keys. */
export function sortKeys(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The list under a key, or an empty one. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const inner = isObject(value) ? value[key] : undefined;
  return Array.isArray(inner) ? inner : [];
}

/** The fields that are not undefined. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  // Only keys whose value is undefined are gone, and those types are excluded above.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
