import { isObject, listAt, objectAt } from "../domain/json.js";
import { defaultSpace } from "../domain/model.js";
import type { Fault } from "./read-yaml.js";

/** Finds targets that name no upstream. It reads the raw file, so that it also speaks when other parts are at fault. */
export function checkUpstreamsExist(file: unknown): Fault[] {
  const upstreams = Object.keys(objectAt(file, "upstreams"));
  return Object.entries(objectAt(file, "models")).flatMap(([id, model]) => {
    return listAt(model, "targets").flatMap((target, index) => {
      const { upstream } = asObject(target);
      if (typeof upstream !== "string" || upstreams.includes(upstream)) return [];
      return [
        {
          path: ["models", id, "targets", index, "upstream"],
          message: `there is no upstream "${upstream}"; the upstreams are: ${upstreams.join(", ") || "none"}`,
        },
      ];
    });
  });
}

/**
 * Finds models whose targets give vectors of different spaces. Such vectors cannot be compared, and a search over a
 * mix of them is wrong without an error; an operator who knows better gives the targets the same `space`.
 */
export function checkVectorSpaces(file: unknown): Fault[] {
  return Object.entries(objectAt(file, "models")).flatMap(([id, model]) => {
    const { type, dimensions } = asObject(model);
    if (type !== "embedding") return [];
    const width = typeof dimensions === "number" ? dimensions : undefined;
    const spaces = listAt(model, "targets").map((target) => {
      const { space, model: name } = asObject(target);
      return typeof space === "string" ? space : defaultSpace(String(name), width);
    });
    return spaces.flatMap((space, index) =>
      index === 0 || space === spaces[0]
        ? []
        : [
            {
              path: ["models", id, "targets", index],
              message: `its vector space is "${space}", but that of the first target is "${spaces[0]}"; vectors of two spaces cannot be compared. If they are equal, give both the same space`,
            },
          ],
    );
  });
}

/** Finds models that say something of their width, or want a cache, without saying how wide they are. */
export function checkDimensionsDeclared(file: unknown): Fault[] {
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

interface Shared {
  readonly workers: number;
  readonly databaseUrl?: string | undefined;
  readonly redisUrl?: string | undefined;
}

/** Workers that share nothing would each count for themselves: keys, limits and budgets would not hold. */
export function checkWorkersShareStorage(file: Shared | undefined): Fault[] {
  if (file === undefined || file.workers === 1) return [];
  const missing = (["databaseUrl", "redisUrl"] as const).filter((key) => file[key] === undefined);
  if (missing.length === 0) return [];
  return [
    {
      path: ["workers"],
      message: `more than one need ${missing.join(" and ")}, so that limits and budgets hold for all`,
    },
  ];
}

/** Finds keys that share a name. Limits, budgets and the ledger know a key of the file by its name alone. */
export function checkKeyNamesUnique(file: unknown): Fault[] {
  const names = listAt(file, "keys").map((key) => asObject(key).name);
  return names.flatMap((name, index) =>
    typeof name !== "string" || names.indexOf(name) === index
      ? []
      : [{ path: ["keys", index, "name"], message: `there is another key with the name "${name}"` }],
  );
}

/** A file may have any shape: rules across its parts must speak even when other parts are at fault. */
function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
