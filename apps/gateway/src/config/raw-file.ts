/** Looks into a file that may have any shape: rules across its parts must speak even when other parts are at fault. */
export function objectAt(value: unknown, key: string): Record<string, unknown> {
  return asObject(asObject(value)[key]);
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
