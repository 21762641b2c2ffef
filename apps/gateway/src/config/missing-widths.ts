import type { Fault } from "./load-config.js";
import { asObject, objectAt } from "./raw-file.js";

/** Finds models that say something of their width, or want a cache, without saying how wide they are. */
export function missingWidths(file: unknown): Fault[] {
  return Object.entries(objectAt(file, "models")).flatMap(([id, model]) => {
    const { type, dimensions, matryoshka, cache } = asObject(model);
    if (type !== "embedding" || dimensions !== undefined) return [];
    const keys = [
      matryoshka === true ? "matryoshka" : [],
      cache === undefined || cache === false ? [] : "cache",
    ].flat();
    return keys.map((key) => ({
      path: ["models", id, key],
      message: "needs dimensions, the native width of the model",
    }));
  });
}
