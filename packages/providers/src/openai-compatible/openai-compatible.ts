import { errorOf } from "@model-gateway/domain/errors";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { z } from "zod";
import { defineOpenAiServer, openAiTraits } from "../dialects/openai/define-provider.js";
import { editForms } from "../dialects/openai/edit-request.js";
import { baseUrlSetting } from "../http/remote-settings.js";
import type { ProviderTraits } from "../provider.js";
import type { EmbeddingTraits, ImageTraits } from "../traits.js";
import { allPresets, type Preset, presetNames, presetOf, presetProfile } from "./presets.js";
import { lmStudio, sdServer, vllm } from "./servers.js";

const settings = {
  preset: z
    .enum(presetNames)
    .optional()
    .describe(
      "A known service or server: its address, limits and differences from OpenAI become the defaults of the upstream and its models.",
    ),
  baseUrl: baseUrlSetting(
    "The address of the service, up to and including /v1. Default: that of the preset.",
  ).optional(),
  editForm: z
    .enum(editForms)
    .optional()
    .describe(
      "How edits send their images. brackets: a form with several images as image[]. repeated: a form with several as image. json: OpenAI's JSON form. Default: that of the preset, or brackets.",
    ),
};

/** Any server that speaks OpenAI's dialect. */
export const openAiCompatibleProvider = defineOpenAiServer({
  name: "openai-compatible",
  title: "OpenAI-compatible server",
  settings,
  rule: { keys: ["preset", "baseUrl", "apiKey"], check: checkPreset },
  // `checkPreset` refuses an upstream without an address.
  baseUrlOf: (given) => given.baseUrl ?? presetOf(given)?.baseUrl ?? "",
  embeddings: ({ settings: given }) => embeddingTraits(given),
  images: ({ settings: given }) => imageTraits(given),
  lacks: (given) => {
    const preset = presetOf(given);
    const kinds: readonly (keyof ProviderTraits)[] = ["embeddings", "images"];
    return preset === undefined ? [] : kinds.filter((kind) => preset[kind] === undefined);
  },
  examples: { embeddings: ["any model"], images: ["any model"] },
  servers: [lmStudio, vllm, sdServer],
  presets: allPresets.map(({ name, preset }) => {
    const { title, keyVariables, baseUrl } = preset;
    return {
      name,
      title,
      baseUrl,
      isKeyRequired: needsKey(preset),
      keyVariables,
      ...(keyVariables.length > 0 &&
        baseUrl !== undefined && {
          environment: { settings: { apiKey: { variables: keyVariables, isRequired: true } } },
        }),
    };
  }),
  dialect: (given) => {
    const { editForm = "brackets", takesUser = true } = presetOf(given)?.images ?? {};
    return {
      checkPrompt: refuseOptions,
      editForm: given.editForm ?? editForm,
      takesUser,
      takesContents: true,
    };
  },
});

/** A preset is a default, so that even its widths can be changed. */
const targetKeys = [
  "dimensions",
  "dimensionsField",
  "encoding",
  "inputImages",
  "inputMedia",
  "inputTypeField",
  "inputTypes",
] as const;

function embeddingTraits(given: Readonly<Record<string, unknown>> | undefined): EmbeddingTraits {
  const { inputTypes, ...known } = presetOf(given)?.embeddings ?? {};
  return {
    ...openAiTraits,
    tooLong: "unknown",
    unitVectors: "unknown",
    targetKeys,
    ...withoutUndefined(known),
    ...(inputTypes && { inputTypes: new Map(Object.entries(inputTypes)) }),
  };
}

function imageTraits(given: Readonly<Record<string, unknown>> | undefined): ImageTraits {
  const known = presetOf(given)?.images;
  if (known === undefined) return { profile: "gpt-image", mask: "alpha" };
  const profile = presetProfile(String(given?.preset), known);
  return known.mask === undefined ? { profile } : { profile, mask: known.mask };
}

interface PresetSettings {
  readonly preset?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** An upstream needs an address, and a service its key. */
function checkPreset(given: PresetSettings, context: z.core.$RefinementCtx): void {
  const { baseUrl, apiKey } = given;
  const preset = presetOf(given);
  const refuse = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
  if (baseUrl === undefined && preset === undefined)
    refuse("baseUrl", "is required without a preset; it must be an http or https URL");
  else if (baseUrl === undefined && preset?.addressExample !== undefined)
    refuse("baseUrl", `is required, because every customer has another; such as ${preset.addressExample}`);
  // Behind another address is another service, such as a proxy with the same models.
  const isItsAddress = baseUrl === undefined || preset?.baseUrl === undefined;
  if (preset !== undefined && needsKey(preset) && isItsAddress && apiKey === undefined)
    refuse("apiKey", `is required by ${preset.title}; set apiKey: "\${${preset.keyVariables[0]}}"`);
}

function needsKey({ keyVariables, isKeyOptional }: Preset): boolean {
  return keyVariables.length > 0 && !isKeyOptional;
}

/** The server of stable-diffusion.cpp reads any of its options from this part of a prompt. */
const optionsTag = "<sd_cpp_extra_args>";

function refuseOptions(prompt: string): void {
  if (!prompt.includes(optionsTag)) return;
  const hint = "An upstream may read options from it.";
  throw errorOf("unsupported_value", { param: "prompt", value: optionsTag }, { hint });
}
