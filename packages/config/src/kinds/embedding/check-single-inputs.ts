import type { SettingFault } from "@model-gateway/domain/settings";
import { isObject } from "@model-gateway/runtime/json";
import type { RawModel } from "../kind.js";

/**
 * Finds limits above those of a request that has place for one input or one image. An upstream would get the first one
 * alone, and its reply would lack the other vectors. A limit of several is a number that an upstream may have raised, so
 * the operator may set another.
 */
export function checkSingleInputs({ targets }: RawModel): SettingFault[] {
  return targets.flatMap(({ path, keys, name, provider, facts, settings }) => {
    const { maxInputs, inputImages: known } = provider.embeddings?.({ name, facts, settings }) ?? {};
    const given = isObject(keys.inputImages) ? keys.inputImages : {};
    const images = given.form === "messages" ? { maxInputs: 1 } : (known ?? {});
    const who = given.form === "messages" ? "the form messages" : `the provider ${provider.name}`;
    const faults = single({ maxInputs }, keys, `the provider ${provider.name}`);
    const imageFaults = single(images, given, who);
    return [
      ...faults.map(({ key, message }) => ({ path: [...path, key], message })),
      ...imageFaults.map(({ key, message }) => ({ path: [...path, "inputImages", key], message })),
    ];
  });
}

const nouns = {
  maxInputs: "input a call",
  maxImagesPerInput: "image an input",
  maxImagesPerRequest: "image a call",
} as const;
const limits = Object.keys(nouns) as (keyof typeof nouns)[];

interface KnownLimits extends Partial<Record<keyof typeof nouns, number | undefined>> {
  readonly mixesParts?: boolean;
}

interface KeyFault {
  readonly key: string;
  readonly message: string;
}

/** @param who Whose limits they are. */
function single(known: KnownLimits, keys: Readonly<Record<string, unknown>>, who: string): KeyFault[] {
  const faults = limits.flatMap((key): KeyFault[] => {
    const value = keys[key];
    if (known[key] !== 1 || typeof value !== "number" || value <= 1) return [];
    return [{ key, message: `is ${value}, but ${who} takes one ${nouns[key]} with this model; remove it` }];
  });
  if (known.mixesParts !== false || keys.mixesParts !== true) return faults;
  const message = `is true, but ${who} takes one text or one image an input with this model; remove it`;
  return [...faults, { key: "mixesParts", message }];
}
