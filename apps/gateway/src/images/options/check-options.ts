import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import {
  type ImageFormat,
  type ImageParameter,
  type ImageProfile,
  offeredFormats,
} from "@model-gateway/domain/image-profile";
import type { ImageEditRequest, ImageRequest } from "@model-gateway/domain/requests";
import { checkCombinations } from "./check-combinations.js";

/** Refuses, by name, each parameter that the model lacks and the gateway cannot emulate. */
export function checkOptions(request: ImageRequest | ImageEditRequest, profile: ImageProfile): void {
  checkSize(request.size, profile);
  checkChoice("quality", request.quality, profile.qualities);
  checkChoice("background", request.background, profile.backgrounds);
  checkFormat(request.output_format, profile);
  checkPrompt(request.prompt, profile);
  for (const [parameter, defaults] of Object.entries(defaultValues) as [
    UpstreamParameter,
    readonly unknown[],
  ][]) {
    const value = request[parameter];
    if (value === undefined || profile.parameters.includes(parameter) || defaults.includes(value)) continue;
    throw errorOf("unsupported_parameter", { param: parameter });
  }
  checkCombinations(request, profile);
  checkCompression(request, profile);
}

type UpstreamParameter = Extract<
  ImageParameter,
  | "moderation"
  | "style"
  | "input_fidelity"
  | "size"
  | "quality"
  | "background"
  | "complexity"
  | "frame_count"
  | "frame_duration_ms"
  | "svg"
  | "safety_identifier"
  | "seed"
  | "negative_prompt"
>;

/**
 * The values that a model without the parameter still accepts, because they ask for its default behaviour. Listed are
 * the parameters that only an upstream can carry out.
 */
const defaultValues: Readonly<Record<UpstreamParameter, readonly unknown[]>> = {
  moderation: ["auto"],
  style: ["vivid"],
  input_fidelity: [],
  size: ["auto"],
  quality: ["auto"],
  background: ["auto", "opaque"],
  complexity: [],
  frame_count: [],
  frame_duration_ms: [],
  svg: [],
  safety_identifier: [""],
  seed: [],
  negative_prompt: [],
};

function checkSize(size: string | undefined, { sizes, sides }: ImageProfile): void {
  if (size === undefined || sizes.includes(size)) return;
  if (!sizes.includes("WIDTHxHEIGHT")) return refuse("size", size, sizes);
  const isOutside = (side: number) => sides !== undefined && (side < sides.min || side > sides.max);
  if (sides === undefined || !size.split("x").map(Number).some(isOutside)) return;
  throw errorOf(
    "unsupported_value",
    { param: "size", value: size },
    { hint: `Width and height must be between ${sides.min} and ${sides.max} pixels.` },
  );
}

function checkFormat(format: ImageFormat | undefined, profile: ImageProfile): void {
  const supported = offeredFormats(profile);
  if (format !== undefined && !supported.includes(format))
    refuse("output_format", format, supported, profile.keepsCredentials === true ? credentialsHint : "");
}

/** Compression by the gateway is a conversion. */
function checkCompression(request: ImageRequest | ImageEditRequest, profile: ImageProfile): void {
  const { output_compression: compression } = request;
  if (compression === undefined || compression === 100 || profile.keepsCredentials !== true) return;
  if (profile.parameters.includes("output_compression")) return;
  throw errorOf("unsupported_parameter", { param: "output_compression" }, { hint: credentialsHint.trim() });
}

const credentialsHint = " A conversion would remove content credentials, which this model keeps.";

function checkChoice(param: string, value: string | undefined, supported: readonly string[]): void {
  if (value !== undefined && !supported.includes(value)) refuse(param, value, supported);
}

function refuse(param: string, value: string, supported: readonly string[], reason = ""): never {
  const list = supported.map((choice) => `'${choice}'`).join(", ");
  throw errorOf("unsupported_value", { param, value }, { hint: `Supported values are: ${list}.${reason}` });
}

function checkPrompt(prompt: string, { maxPromptLength }: ImageProfile): void {
  if (prompt.length <= maxPromptLength) return;
  throw new GatewayError(
    "string_above_max_length",
    `Invalid 'prompt': it has ${prompt.length} characters; this model takes at most ${maxPromptLength}.`,
    { param: "prompt" },
  );
}
