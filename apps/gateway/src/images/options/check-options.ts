import type { ImageParameter, ImageProfile } from "../../domain/image-profile.js";
import type { ImageOptions, ImageRequest } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";

/** Refuses, by name, each parameter that the model lacks and the gateway cannot emulate. */
export function checkOptions(request: ImageRequest, profile: ImageProfile): void {
  checkSize(request.size, profile);
  checkChoice("quality", request.quality, profile.qualities);
  checkChoice("background", request.background, profile.backgrounds);
  checkPrompt(request.prompt, profile);
  checkCombinations(request, profile);
  for (const [parameter, defaults] of Object.entries(defaultValues) as [
    UpstreamParameter,
    readonly unknown[],
  ][]) {
    const value = request[parameter];
    if (value === undefined || profile.parameters.includes(parameter) || defaults.includes(value)) continue;
    throw new GatewayError(
      "unsupported_parameter",
      `Unsupported parameter: '${parameter}' is not supported with this model.`,
      { param: parameter },
    );
  }
}

type UpstreamParameter = Extract<
  ImageParameter,
  "moderation" | "style" | "input_fidelity" | "size" | "quality" | "background"
>;

/**
 * The values that a model without the parameter still accepts, because they ask for its default behaviour. Listed are
 * the parameters that only an upstream can carry out.
 */
const defaultValues: Readonly<Record<UpstreamParameter, readonly unknown[]>> = {
  moderation: ["auto"],
  style: [],
  input_fidelity: [],
  size: ["auto"],
  quality: ["auto"],
  background: ["auto", "opaque"],
};

function checkSize(size: string | undefined, { sizes, sides }: ImageProfile): void {
  if (size === undefined || sizes.includes(size)) return;
  if (!sizes.includes("WIDTHxHEIGHT")) return refuse("size", size, sizes);
  const isOutside = (side: number) => sides !== undefined && (side < sides.min || side > sides.max);
  if (sides === undefined || !size.split("x").map(Number).some(isOutside)) return;
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value: 'size' does not support '${size}' with this model. Width and height must be between ${sides.min} and ${sides.max} pixels.`,
    { param: "size" },
  );
}

function checkChoice(param: string, value: string | undefined, supported: readonly string[]): void {
  if (value !== undefined && !supported.includes(value)) refuse(param, value, supported);
}

function refuse(param: string, value: string, supported: readonly string[]): never {
  const list = supported.map((choice) => `'${choice}'`).join(", ");
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value: '${param}' does not support '${value}' with this model. Supported values are: ${list}.`,
    { param },
  );
}

function checkPrompt(prompt: string, { maxPromptLength }: ImageProfile): void {
  if (prompt.length <= maxPromptLength) return;
  throw new GatewayError(
    "string_above_max_length",
    `Invalid 'prompt': it has ${prompt.length} characters; this model takes at most ${maxPromptLength}.`,
    { param: "prompt" },
  );
}

/** Refuses options that contradict each other with any model. */
function checkCombinations(request: ImageOptions, profile: ImageProfile): void {
  const format = request.output_format ?? profile.outputFormats[0] ?? "png";
  if (request.background === "transparent" && format === "jpeg") {
    throw contradiction("background", "a jpeg image cannot be transparent; use png or webp");
  }
  if (request.output_compression !== undefined && request.output_compression < 100 && format === "png") {
    throw contradiction("output_compression", "a png image is lossless; use jpeg or webp, or a value of 100");
  }
  if (request.partial_images !== undefined && request.partial_images > 0 && request.stream !== true) {
    throw contradiction("partial_images", "it requires 'stream' to be true");
  }
  if (request.stream === true && request.response_format === "url") {
    throw contradiction("response_format", "a stream carries image data, not links; use b64_json");
  }
}

function contradiction(param: string, reason: string): GatewayError {
  return new GatewayError("invalid_value", `Invalid '${param}': ${reason}.`, { param });
}
