import { adminOperator } from "@model-gateway/domain/operator";
import { findProvider, modelsOf, providers } from "@model-gateway/providers/registry";
import { isObject, listAt, objectAt } from "@model-gateway/runtime/json";
import type { Fault } from "./files/read-yaml.js";
import { isModelType } from "./kinds/kinds.js";

/*
 * Rules across several parts of the file. They read the raw file, so that their faults are reported together with
 * schema faults.
 */

/** Finds targets whose upstream does not exist. */
export function checkUpstreamsExist(file: unknown): Fault[] {
  const upstreams = Object.keys(objectAt(file, "upstreams"));
  const known = new Set(upstreams);
  return Object.entries(objectAt(file, "models")).flatMap(([id, model]) => {
    return listAt(model, "targets").flatMap((target, index) => {
      const { upstream } = asObject(target);
      if (typeof upstream !== "string" || known.has(upstream)) return [];
      return [
        {
          path: ["models", id, "targets", index, "upstream"],
          message: `there is no upstream "${upstream}"; ${upstreams.length === 0 ? "add it under upstreams" : `use one of: ${upstreams.join(", ")}`}`,
        },
      ];
    });
  });
}

/** Finds targets whose model does not exist, at upstreams whose models are known without asking them. */
export function checkModelsExist(file: unknown): Fault[] {
  const upstreams = objectAt(file, "upstreams");
  return Object.entries(objectAt(file, "models")).flatMap(([id, model]) => {
    const { type } = asObject(model);
    return listAt(model, "targets").flatMap((target, index) => {
      const { upstream, model: name } = asObject(target);
      const known = modelsOf(asObject(upstreams[String(upstream)]));
      if (known === undefined || typeof name !== "string" || !isModelType(type)) return [];
      const names = known[type] ?? [];
      // `checkPatterns` has a better word for a star.
      if (names.includes(name) || name.includes("*")) return [];
      return [
        {
          path: ["models", id, "targets", index, "model"],
          message: `there is no ${type} model "${name}" at "${upstream}"; use one of: ${names.join(", ")}`,
        },
      ];
    });
  });
}

/** Finds an upstream for provenance checks that does not exist, or cannot make them. */
export function checkProvenanceUpstream(file: unknown): Fault[] {
  const { provenanceUpstream: name } = objectAt(file, "images");
  if (typeof name !== "string") return [];
  const path = ["images", "provenanceUpstream"];
  const upstream = objectAt(file, "upstreams")[name];
  if (upstream === undefined)
    return [{ path, message: `there is no upstream "${name}"; add it under upstreams` }];
  const { provider } = asObject(upstream);
  // The schema has a better word for a provider that does not exist.
  const known = findProvider(String(provider));
  if (known === undefined || known.checksProvenance === true) return [];
  const able = providers.filter(({ checksProvenance }) => checksProvenance === true);
  const names = able.map((one) => one.name).join(", ");
  return [{ path, message: `the provider ${known.name} checks no provenance; these do: ${names}` }];
}

/** Workers without shared storage would each count on their own: keys, limits and budgets would not hold. */
export function checkWorkersShareStorage(file: unknown): Fault[] {
  const { workers, ...settings } = asObject(file);
  if (typeof workers !== "number" || !(workers > 1)) return [];
  const missing = ["databaseUrl", "redisUrl"].filter((key) => settings[key] === undefined);
  if (missing.length === 0) return [];
  return [
    {
      path: ["workers"],
      message: `${workers} workers share keys, limits and budgets through PostgreSQL and Redis; set ${missing.join(" and ")}, or use 1 worker`,
    },
  ];
}

/** Replicas with different secrets would refuse each other's links, and a bucket is there for replicas. */
export function checkLinkSecretShared(file: unknown): Fault[] {
  const { store, linkSecret } = objectAt(file, "images");
  if (store !== "s3" || linkSecret !== undefined || asObject(file).databaseUrl !== undefined) return [];
  return [
    {
      path: ["images", "linkSecret"],
      message:
        "is required with store: s3, because replicas sign links with the same secret; set linkSecret, or databaseUrl, where the gateway then keeps one",
    },
  ];
}

/** Finds keys with the same name. Limits, budgets and the ledger identify a configured key by its name alone. */
export function checkKeyNamesUnique(file: unknown): Fault[] {
  const names = listAt(file, "keys").map((key) => asObject(key).name);
  return names.flatMap((name, index) =>
    typeof name !== "string" || names.indexOf(name) === index
      ? []
      : [
          {
            path: ["keys", index, "name"],
            message: `another key is named "${name}"; give each key its own name`,
          },
        ],
  );
}

/** Finds operators with the name or the key of another one. The key alone says who a request is from. */
export function checkOperatorsDiffer(file: unknown): Fault[] {
  const operators = listAt(file, "operators").map(asObject);
  const keysOfOthers = new Set([
    asObject(file).adminKey,
    ...listAt(file, "keys").map((one) => asObject(one).key),
  ]);
  return operators.flatMap(({ name, key }, index) => {
    const earlier = operators.slice(0, index);
    const faults: Fault[] = [];
    if (typeof name === "string" && (name === adminOperator.name || earlier.some((one) => one.name === name)))
      faults.push({
        path: ["operators", index, "name"],
        message: `another operator is named "${name}"; give each operator a unique name`,
      });
    if (typeof key === "string" && (keysOfOthers.has(key) || earlier.some((one) => one.key === key)))
      faults.push({
        path: ["operators", index, "key"],
        message: "is the key of another operator or of a caller; give each its own key",
      });
    return faults;
  });
}

/** The raw file may have any shape. */
function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
