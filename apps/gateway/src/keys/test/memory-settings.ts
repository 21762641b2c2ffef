import type { Settings } from "../settings.js";

/** Settings for tests, which outlive whoever opens them. */
export function createMemorySettings(): Settings & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    settleOnce: async (name, make) => {
      const isNew = !values.has(name);
      if (isNew) values.set(name, make());
      return { value: values.get(name) ?? "", isNew };
    },
  };
}
