import type { ImageFormat, ImageParameter, ImageProfile } from "@model-gateway/domain/image-profile";
import { z } from "zod";
import { plainProfile } from "../dialects/images/image-profile.js";

const sizes = ["auto", "1024x1024", "1536x1024", "1024x1536", "WIDTHxHEIGHT"];

/**
 * The options that every model has. A host without a quality or a compression ignores them, so that they are only sent to
 * models that are known to have them. One call creates one image: a host may return fewer than requested, and bill them.
 */
export const anyModel: ImageProfile = {
  ...plainProfile,
  name: "openrouter",
  parameters: ["size"],
  sizes,
  sides: { min: 256, max: 4096 },
  edits: true,
  maxImages: 16,
};

const descriptor = z.object({ type: z.string(), values: z.array(z.string()).optional() });

/** A model in OpenRouter's list of image models. */
export const listedImageModel = z.object({
  id: z.string(),
  architecture: z.object({ input_modalities: z.array(z.string()) }),
  supported_parameters: z.record(z.string(), descriptor),
});

/** The profile of a model that was discovered: the options that its hosts have, as the list describes them. */
export function profileOfListed(model: z.output<typeof listedImageModel>): ImageProfile {
  const { supported_parameters: supported, architecture } = model;
  const valuesOf = (name: string) => supported[name]?.values ?? [];
  const formats = valuesOf("output_format").filter(isFormat);
  const hasSize = ["size", "resolution", "aspect_ratio"].some((name) => Object.hasOwn(supported, name));
  const edits = architecture.input_modalities.includes("image");
  const parameters: ImageParameter[] = [
    ...(hasSize ? (["size"] as const) : []),
    ...(["quality", "background", "output_format", "output_compression", "seed"] as const).filter((name) =>
      Object.hasOwn(supported, name),
    ),
  ];
  return {
    ...anyModel,
    name: "openrouter-listed",
    parameters,
    sizes: hasSize ? sizes : ["auto"],
    qualities: withAuto(valuesOf("quality")),
    backgrounds: supported.background === undefined ? ["auto", "opaque"] : withAuto(valuesOf("background")),
    outputFormats: formats.length === 0 ? anyModel.outputFormats : formats,
    edits,
    maxImages: edits ? anyModel.maxImages : 1,
  };
}

function withAuto(values: readonly string[]): string[] {
  return [...new Set(["auto", ...values])];
}

function isFormat(format: string): format is ImageFormat {
  return ["png", "jpeg", "webp", "svg"].includes(format);
}
