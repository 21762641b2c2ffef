import { errorOf } from "@model-gateway/domain/errors";
import type { Model } from "@model-gateway/domain/model";
import type { AcceptedExtras, Extras } from "@model-gateway/domain/requests";
import { isObject, sortKeys } from "@model-gateway/runtime/json";
import { describeFault } from "./fault-message.js";
import type { Operation } from "./spec.js";

/** The spec's names for each content type whose schema allows further ones. */
type KnownParameters = ReadonlyMap<string, ReadonlySet<string>>;

export function knownParameters({ bodies }: Pick<Operation, "bodies">): KnownParameters {
  const open = [...bodies].filter(([, schema]) => schema.additionalProperties !== false);
  return new Map(open.map(([type, { properties = {} }]) => [type, new Set(Object.keys(properties))]));
}

/**
 * Separates the parameters that the spec does not name. Returns undefined without any: this look at the keys replaces
 * the one by which the validator would refuse them.
 */
export function separateExtras(
  body: object,
  known: ReadonlySet<string>,
): { readonly named: object; readonly extras: UnnamedParameters } | undefined {
  for (const name in body) {
    if (known.has(name)) continue;
    const entries = Object.entries(body);
    return {
      named: Object.fromEntries(entries.filter(([key]) => known.has(key))),
      extras: { values: Object.fromEntries(entries.filter(([key]) => !known.has(key))), known },
    };
  }
  return undefined;
}

/** The parameters of a request that the spec does not name, and those that it does. */
export interface UnnamedParameters {
  readonly values: Extras;
  readonly known: ReadonlySet<string>;
}

/** The size of one value: its characters and values, and how deep it is nested. */
const sizeMax = 4096;
const depthMax = 8;

/** Refuses, by name, parameters that the model does not pass through. A parameter that is null counts as absent. */
export function acceptExtras(
  extras: UnnamedParameters | undefined,
  model: Model,
): AcceptedExtras | undefined {
  if (extras === undefined) return undefined;
  const given = Object.entries(extras.values);
  for (const [name, value] of given) {
    if (model.passThrough?.includes(name) !== true) {
      const knownNames = [...extras.known, ...(model.passThrough ?? [])];
      throw describeFault({ keyword: "additionalProperties", param: name, schema: {}, value, knownNames });
    }
    if (sizeOf(value, sizeMax, depthMax) <= sizeMax) continue;
    throw errorOf("invalid_value", {
      param: name,
      reason: `a parameter that is passed through may have ${sizeMax} characters and be nested ${depthMax} levels deep`,
    });
  }
  const entries = given.filter(([, value]) => value !== null);
  if (entries.length === 0) return undefined;
  const values = Object.fromEntries(entries);
  return { values, key: JSON.stringify(values, sortKeys) };
}

/** The size of a value, or any number above `max`: the rest of a large value is not looked at. */
function sizeOf(value: unknown, max: number, depth: number): number {
  if (typeof value === "string") return value.length + 1;
  if (!Array.isArray(value) && !isObject(value)) return 1;
  if (depth === 0) return max + 1;
  let size = 1;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  for (const [index, inner] of Object.values(value).entries()) {
    size += (names[index]?.length ?? 0) + sizeOf(inner, max - size, depth - 1);
    if (size > max) break;
  }
  return size;
}
