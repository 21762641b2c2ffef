import type { Fault } from "./load-config.js";
import { asObject, objectAt } from "./raw-file.js";

/** Finds keys that share a name. Limits, budgets and the ledger know a key of the file by its name alone. */
export function repeatedNames(file: unknown): Fault[] {
  const names = Object.values(objectAt(file, "keys")).map((key) => asObject(key).name);
  return names.flatMap((name, index) =>
    typeof name !== "string" || names.indexOf(name) === index
      ? []
      : [{ path: ["keys", index, "name"], message: `there is another key with the name "${name}"` }],
  );
}
