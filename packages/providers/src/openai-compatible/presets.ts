import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { type ImageProfileName, imageProfiles } from "@model-gateway/domain/image-profiles";
import { z } from "zod";
import { editForms } from "../dialects/openai/edit-request.js";
import data from "./presets.json" with { type: "json" };

/*
 * Services and servers that speak OpenAI's dialect: their address, the variable of their key, limits and differences.
 * A new one is an entry in presets.json.
 */

const profileNames = Object.keys(imageProfiles) as [ImageProfileName, ...ImageProfileName[]];
const names = z.array(z.string().min(1)).min(1);
const address = z.url({ protocol: /^https?$/ });

const embeddings = z.strictObject({
  maxInputs: z.int().positive().max(2048).optional(),
  maxTokens: z.int().positive().optional(),
  /** `float` alone: it does not know `encoding_format`, or ignores it. */
  encodings: z.array(z.enum(["float", "base64"])).min(1),
  dimensions: z.enum(["pass", "emulate"]),
  widths: z.array(z.int().positive()).min(1).optional(),
  inputTypes: z.record(z.string().min(1).max(64), z.string().min(1).max(64).nullable()).optional(),
  inputTypeField: z.string().min(1).optional(),
  requiresInputType: z.boolean().optional(),
  tooLong: z.enum(["refused", "unknown"]).optional(),
  unitVectors: z.enum(["always", "unknown"]).optional(),
  takesUser: z.boolean().optional(),
});

const images = z.strictObject({
  /** The keys of a profile. One that is absent is that of the profile `like`. */
  profile: z.strictObject({
    like: z.enum(profileNames),
    parameters: names,
    sizes: names,
    qualities: names,
    outputFormats: z
      .array(z.enum(["png", "jpeg", "webp"]))
      .min(1)
      .optional(),
    responseFormats: z.array(z.enum(["b64_json", "url"])).min(1),
    maxN: z.int().positive().max(10).optional(),
    maxPromptLength: z.int().positive().max(32_000).optional(),
    edits: z.boolean().optional(),
    mask: z.boolean().optional(),
    maxImages: z.int().positive().max(16).optional(),
  }),
  mask: z.enum(["alpha", "white", "black", "grey"]).optional(),
  editForm: z.enum(editForms).optional(),
  takesUser: z.boolean().optional(),
});

const preset = z
  .strictObject({
    title: z.string().min(1),
    baseUrl: address.optional(),
    /** Where every customer has another address. */
    addressExample: address.optional(),
    /** The first is that of the vendor's own pages. Empty: a server without keys. */
    keyVariables: z.array(z.string().regex(/^[A-Z][A-Z0-9_]*$/)),
    isKeyOptional: z.boolean().optional(),
    embeddings: embeddings.optional(),
    images: images.optional(),
    /** The pages that the facts are from. */
    sources: z.array(z.url({ protocol: /^https$/ })).min(1),
    asOf: z.iso.date(),
  })
  .refine((one) => (one.baseUrl === undefined) !== (one.addressExample === undefined), {
    error: "has a baseUrl, or an example of one",
  })
  .refine((one) => one.embeddings !== undefined || one.images !== undefined, { error: "serves no model" })
  .refine(({ images: one }) => one === undefined || takesMasks(one.profile) === (one.mask !== undefined), {
    error: "has a form of masks, or takes none",
  });

function takesMasks({ edits = true, mask = true }: z.output<typeof images>["profile"]): boolean {
  return edits && mask;
}

export type Preset = z.output<typeof preset>;
export const presetsSchema = z.record(z.string().regex(/^[a-z0-9-]+$/), preset);

type PresetName = keyof typeof data;
export const presetNames = Object.keys(data) as [PresetName, ...PresetName[]];

/** A test checks the file, so that no start has to. */
const presets = data as Readonly<Record<string, Preset>>;

export const allPresets = Object.entries(presets).map(([name, preset]) => ({ name, preset }));

/**
 * The preset of an upstream. Undefined without one.
 *
 * @param settings Of any shape: they may not be checked yet.
 */
export function presetOf(settings: { readonly preset?: unknown } | undefined): Preset | undefined {
  const name = settings?.preset;
  return typeof name === "string" && Object.hasOwn(presets, name) ? presets[name] : undefined;
}

/** The profile of a preset's image models. */
export function presetProfile(name: string, { profile }: NonNullable<Preset["images"]>): ImageProfile {
  const { like, ...changes } = profile;
  return { ...imageProfiles[like], ...changes, name } as ImageProfile;
}
