import type { ImageParameter, ImageProfile } from "@model-gateway/domain/image-profile";
import { isObject } from "@model-gateway/runtime/json";
import { z } from "zod";
import type { ImageTraits } from "../../traits.js";
import { ratiosBySize } from "../images/aspect-ratios.js";
import { plainProfile } from "../images/image-profile.js";

const field = z.string().regex(/^\w{1,64}$/, "must be the name of a field");
const imagesMax = 16;

/** The names of a hosted model's fields, which differ from model to model. */
export const fieldMapSchema = z
  .strictObject({
    size: z
      .enum(["aspect_ratio", "width_height", "image_size", "size"])
      .optional()
      .describe(
        "How a size is sent: as aspect_ratio, as width and height, as image_size with width and height, or as the text in size. Absent: the model takes no size.",
      ),
    n: field.optional().describe("The field for the number of images. Absent: one call creates one image."),
    maxN: z
      .int()
      .min(1)
      .max(10)
      .default(4)
      .describe("Maximum images of one call, where there is a field for it."),
    image: field.optional().describe("The field of the image to edit. Absent: the model edits no images."),
    maxImages: z
      .int()
      .min(1)
      .max(imagesMax)
      .optional()
      .describe("Maximum images of one edit. If it is set, the field of the image takes a list."),
    mask: field.optional().describe("The field of the mask, in which white pixels are edited."),
    onlyEdits: z
      .boolean()
      .default(false)
      .describe("Whether the model needs an image, so that it only edits."),
    seed: field.optional().describe("The field of the seed."),
    negativePrompt: field.optional().describe("The field of the negative prompt."),
    outputFormat: field.optional().describe("The field of the format."),
    outputFormats: z
      .partialRecord(z.enum(["png", "jpeg", "webp"]), z.string().min(1))
      .default({ png: "png" })
      .describe(
        "The model's words for the formats that it can create, such as jpeg: jpg. The first is the default.",
      ),
    input: z
      .record(z.string(), z.unknown())
      .default({})
      .describe("Fields that are sent with every request, such as { go_fast: true }."),
  })
  .refine(({ onlyEdits, image }) => !onlyEdits || image !== undefined, {
    path: ["onlyEdits"],
    message: "needs image, the field of the image to edit",
  });

export type FieldMap = z.output<typeof fieldMapSchema>;

/** A setting: the fields of models that the gateway does not know, or that the operator wants to call differently. */
export const fieldMapsSetting = z
  .record(z.string().min(1), fieldMapSchema)
  .default({})
  .describe("The fields of models, by the model's name. They replace those that the gateway knows.");

/** A model that the gateway knows. */
export type KnownModel = readonly [pattern: RegExp, fields: z.input<typeof fieldMapSchema>];

/** Finds a model's fields: the operator's, or the known ones, or else a prompt alone. */
export function fieldMapOf(model: string, known: readonly KnownModel[], settings: unknown): FieldMap {
  const { models } = isObject(settings) ? settings : {};
  const given = isObject(models) && Object.hasOwn(models, model) ? models[model] : undefined;
  // The settings may not be checked yet. Their faults are reported elsewhere.
  const own = given === undefined ? undefined : fieldMapSchema.safeParse(given).data;
  return own ?? fieldMapSchema.parse(known.find(([pattern]) => pattern.test(model))?.[1] ?? {});
}

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
