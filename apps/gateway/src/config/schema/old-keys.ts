import { isObject, listAt, objectAt } from "../../domain/json.js";

/** A configuration key that has a new name. The old one keeps working. */
interface RenamedKey {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

const renamedKeys: readonly RenamedKey[] = [
  { from: ["tellUpstream"], to: ["exposeUpstream"] },
  { from: ["pictures"], to: ["images"] },
  { from: ["limits", "answerBytesMax"], to: ["limits", "idempotencyBytesMax"] },
];

export interface CurrentKeys {
  readonly value: unknown;
  /** One sentence for each old key that the file has. */
  readonly warnings: readonly string[];
}

/** Gives old keys their new names. Where a file has both, the old key stays, and the schema refuses it. */
export function renameOldKeys(file: unknown): CurrentKeys {
  const value: unknown = structuredClone(file);
  const warnings = renamedKeys.flatMap(({ from, to }) =>
    moveKey(value, from, to)
      ? [`${from.join(".")} is now called ${to.join(".")}; the old name still works.`]
      : [],
  );
  return { value, warnings: [...warnings, ...moveCoalesce(value)] };
}

/** Small requests are joined per model, before a target is selected, so `coalesce` is a key of the model. */
function moveCoalesce(file: unknown): string[] {
  return Object.entries(objectAt(file, "models")).flatMap(([id, model]) => {
    const [first] = listAt(model, "targets");
    if (!isObject(model) || !isObject(first) || first.coalesce === undefined || model.coalesce !== undefined)
      return [];
    model.coalesce = first.coalesce;
    delete first.coalesce;
    return [`models.${id}.targets[0].coalesce is now models.${id}.coalesce; the old key still works.`];
  });
}

function moveKey(file: unknown, from: readonly string[], to: readonly string[]): boolean {
  const parent = from.slice(0, -1).reduce<unknown>((value, key) => objectAt(value, key), file);
  const [oldKey, newKey] = [from.at(-1) ?? "", to.at(-1) ?? ""];
  if (!isObject(parent) || parent[oldKey] === undefined || parent[newKey] !== undefined) return false;
  parent[newKey] = parent[oldKey];
  delete parent[oldKey];
  return true;
}
