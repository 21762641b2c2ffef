import { z } from "zod";
import { fieldMapSchema } from "./field-map.js";
import { rasterFormats } from "./image-profile.js";
import { type ImageProfileName, imageProfiles } from "./image-profiles.js";
import { type MediaFormat, mediaFormats, mediaKinds } from "./media-input.js";
import { name, positive } from "./settings.js";

/*
 * The facts about models that the catalogue has. This table is the only list of such facts: the schema of the catalogue,
 * the type that providers are given and the page of the docs come from it. A provider declares what its dialect fixes,
 * and a fact overrides that.
 */

const width = positive.max(65_536);
const modality = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text") }),
  z.strictObject({
    type: z.literal("image"),
    max_inputs: positive.optional().describe("The most inputs of a call that has images."),
    max_per_input: positive.optional().describe("The most images of one input."),
    max_per_call: positive.optional().describe("The most images of one call."),
    max_bytes: positive.optional().describe("The size of one image."),
    max_bytes_per_call: positive.optional().describe("All images of one call together."),
    formats: z
      .array(z.enum(rasterFormats))
      .min(1)
      .optional()
      .describe("The formats that it takes. The gateway converts every other."),
    mixes: z
      .boolean()
      .optional()
      .describe("Whether one input may have several parts. false: it is one text or one image."),
  }),
  ...mediaKinds.map((kind) =>
    z.strictObject({
      type: z.literal(kind),
      formats: z
        .array(z.enum(mediaFormats[kind] as readonly MediaFormat[]))
        .min(1)
        .optional()
        .describe("The formats that it takes. Default: all that the gateway reads."),
      max_per_input: positive.optional().describe("The most of them in one input."),
      max_bytes: positive.optional().describe("The size of one file."),
      max_amount: positive.optional().describe("The pages or seconds of one file."),
      max_amount_with_sound: positive
        .optional()
        .describe("The seconds of a video with sound, if they are fewer."),
    }),
  ),
]);

const limits = z.strictObject({
  max_tokens: positive.optional().describe("The most tokens of one input."),
  max_inputs: positive.optional().describe("The most inputs of one call."),
  max_tokens_per_call: positive.optional().describe("The most tokens of one call, all inputs together."),
  max_characters_per_call: positive
    .optional()
    .describe("The most characters of one call, all inputs together."),
});

const area = z.strictObject({
  pixels_min: positive,
  pixels_max: positive,
  ratio_max: positive.describe("The most that one side may be longer than the other."),
});

const options = z.strictObject({
  name: name.optional().describe("The name of the profile that the options make."),
  parameters: z
    .array(
      z.enum([
        "size",
        "quality",
        "background",
        "n",
        "moderation",
        "output_format",
        "output_compression",
        "response_format",
        "seed",
        "negative_prompt",
      ]),
    )
    .optional()
    .describe("The optional parameters that are sent to the upstream."),
  sizes: z
    .array(name)
    .min(1)
    .optional()
    .describe("The sizes that it takes. WIDTHxHEIGHT, written like this, stands for any."),
  sides: z
    .strictObject({ min: positive, max: positive })
    .optional()
    .describe("The bounds of each side, for WIDTHxHEIGHT."),
  area: area.optional().describe("The bounds of the area, for WIDTHxHEIGHT."),
  edit_area: area.optional().describe("Those of an edit, if they are others."),
  qualities: z.array(name).min(1).optional().describe("The qualities that it takes."),
  backgrounds: z.array(name).min(1).optional().describe("The backgrounds that it takes."),
  output_formats: z
    .array(z.enum([...rasterFormats, "gif", "svg"]))
    .min(1)
    .optional()
    .describe("The formats that it creates. The first is the default."),
  response_formats: z
    .array(z.enum(["b64_json", "url"]))
    .min(1)
    .optional()
    .describe("The forms in which it returns an image."),
  max_n: positive.max(10).optional().describe("The most images that one call creates."),
  max_prompt_length: positive.max(32_000).optional().describe("The most characters of a prompt."),
  edits: z.boolean().optional().describe("Whether it edits images."),
  only_edits: z.boolean().optional().describe("Whether it creates nothing without an image."),
  max_images: positive.max(16).optional().describe("The most images of one edit."),
  mask: z
    .enum(["alpha", "white", "black", "grey", "none"])
    .optional()
    .describe("The form of its masks, by the pixels that are edited. none: it takes no mask."),
  markup: z.boolean().optional().describe("Whether an edit may have drawings that guide it."),
  streaming: z.boolean().optional().describe("Whether it streams."),
  tolerance_max: z.int().min(0).optional().describe("Its least moderation, for moderation: low."),
  rewrites: z.boolean().optional().describe("Whether it rewrites prompts unless it is told not to."),
});

/** The facts of a model, each with its meaning. */
export const modelFacts = {
  variant: name
    .optional()
    .describe("The form of its requests, where its provider's dialect has several. Providers list theirs."),
  modalities: z
    .array(modality)
    .min(1)
    .optional()
    .describe("The inputs that it takes, with their limits. Default: text alone."),
  dimensions: width.optional().describe("The full width of its vectors, which is the default one."),
  matryoshka: z.literal(true).optional().describe("Its vectors may be shortened."),
  widths: z.array(width).min(1).optional().describe("The only widths that it takes."),
  takes_dimensions: z
    .boolean()
    .optional()
    .describe("Whether it takes a width. false: the gateway shortens its vectors."),
  limits: limits.optional(),
  output_dtypes: z
    .array(z.enum(["int8", "uint8"]))
    .min(1)
    .optional()
    .describe("The quantised types that it makes."),
  input_types: z
    .record(z.string().min(1).max(64), z.string().min(1).max(64).nullable())
    .optional()
    .describe("The words that it wants for each input type. null: none is sent."),
  input_type_required: z.boolean().optional().describe("Whether a call without an input type is refused."),
  truncation: z
    .enum(["refused", "counted", "unknown"])
    .optional()
    .describe("The fate of a text that is too long. counted: the gateway counts its tokens first."),
  unit_vectors: z
    .enum(["always", "not-always", "unknown"])
    .optional()
    .describe("Whether its vectors have a length of 1 at every width."),
  tokenizer: z
    .enum(["cl100k_base", "o200k_base", "p50k_base", "r50k_base"])
    .optional()
    .describe("The vocabulary of its tokens."),
  space: name.optional().describe("The vector space that it shares with other models, at one width."),
  profile: z
    .enum(Object.keys(imageProfiles) as [ImageProfileName, ...ImageProfileName[]])
    .optional()
    .describe("The profile of its options. Default: that of the provider."),
  options: options.optional().describe("The options of an image model that differ from its profile."),
  fields: fieldMapSchema
    .optional()
    .describe("The fields of a hosted model, in the form of models in the settings of its upstream."),
} as const;

/** The facts about one model. */
export type ModelFacts = z.output<z.ZodObject<typeof modelFacts>>;
export type ImageArea = z.output<typeof area>;
export type ImageModelOptions = z.output<typeof options>;

/** Where the facts of a model are from. */
export interface FactsOrigin {
  /** The entry of the catalogue: a name, or a pattern of names. */
  readonly entry: string;
  /** `assumed`: the entry is that of an earlier generation, or holds for every name that has no other. */
  readonly state: "known" | "assumed";
  /** The vendor's pages. */
  readonly pages: readonly FactsPage[];
}

export interface FactsPage {
  readonly url: string;
  /** The day on which its text was read. */
  readonly readOn: string;
  /** The facts that were read there. Empty: that the model exists. */
  readonly facts: readonly ("prices" | "widths" | "limits" | "end" | "traits")[];
}

type Modality = z.output<typeof modality>;
type ImageModality = Extract<Modality, { type: "image" }>;
type MediaModality = Exclude<Modality, { type: "image" | "text" }>;

/** The images that a model takes in inputs. Undefined: none. */
export function imageModality({ modalities = [] }: ModelFacts = {}): ImageModality | undefined {
  return modalities.find((one): one is ImageModality => one.type in imageLike);
}

/** The documents, audio and video that a model takes in inputs. */
export function mediaModalities({ modalities = [] }: ModelFacts): MediaModality[] {
  return modalities.filter((one): one is MediaModality => one.type in mediaFormats);
}

const imageLike = { image: true };
