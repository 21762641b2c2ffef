/** A parameter that is null is a parameter that was not given. */
export function withoutNulls<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], null> } {
  const entries = Object.entries(body).filter(([, value]) => value !== null);
  // Only keys whose value is null are gone, and those types are excluded above.
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], null> };
}
