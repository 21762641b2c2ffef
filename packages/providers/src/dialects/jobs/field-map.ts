import { type FieldMap, fieldMapSchema } from "@model-gateway/domain/field-map";
import type { ImageParameter, ImageProfile } from "@model-gateway/domain/image-profile";
import { isObject } from "@model-gateway/runtime/json";
import { z } from "zod";
import type { ModelAt } from "../../provider.js";
import type { ImageTraits } from "../../traits.js";
import { ratiosBySize } from "../images/aspect-ratios.js";
import { plainProfile } from "../images/image-profile.js";

/** A setting: the fields of models that the gateway does not know, or that the operator wants to call differently. */
export const fieldMapsSetting = z
  .record(z.string().min(1), fieldMapSchema)
  .default({})
  .describe("The fields of models, by the model's name. They replace those that the gateway knows.");

/** Finds a model's fields: the operator's, or those of the catalogue, or else a prompt alone. */
export function fieldMapOf({ name, facts, settings = {} }: ModelAt): FieldMap {
  const { models } = settings;
  const given = isObject(models) && Object.hasOwn(models, name) ? models[name] : undefined;
  // The settings may not be checked yet. Their faults are reported elsewhere.
  const own = given === undefined ? undefined : fieldMapSchema.safeParse(given).data;
  return own ?? facts?.fields ?? promptAlone;
}

const promptAlone = fieldMapSchema.parse({});

/** The capabilities of a model with these fields. */
export function traitsOfFields(name: string, fields: FieldMap): ImageTraits {
  const { size, n, maxN, image, maxImages = 1, mask, onlyEdits, seed, negativePrompt, outputFormat } = fields;
  const isTaken: readonly (readonly [ImageParameter, unknown])[] = [
    ["size", size],
    ["n", n],
    ["seed", seed],
    ["negative_prompt", negativePrompt],
    ["output_format", outputFormat],
  ];
  const formats = Object.keys(fields.outputFormats) as (keyof FieldMap["outputFormats"])[];
  const profile: ImageProfile = {
    ...plainProfile,
    name,
    parameters: isTaken.flatMap(([parameter, taken]) => (taken === undefined ? [] : parameter)),
    sizes: ["auto", ...sizesOf(size)],
    outputFormats: formats,
    maxN: n === undefined ? 1 : maxN,
    edits: image !== undefined,
    onlyEdits,
    mask: mask !== undefined,
    maxImages,
  };
  return mask === undefined ? { profile } : { profile, mask: "white" };
}

function sizesOf(size: FieldMap["size"]): readonly string[] {
  if (size === undefined) return [];
  return size === "aspect_ratio" ? [...ratiosBySize.keys()] : ["WIDTHxHEIGHT"];
}
