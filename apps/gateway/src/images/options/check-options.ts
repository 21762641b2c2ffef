import type { ImageParameter, ImageProfile } from "../../domain/image-profile.js";
import type { ImageOptions, ImageRequest } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";

/** Refuses by name what a model cannot do and the gateway cannot make up for. */
export function checkOptions(request: ImageRequest, profile: ImageProfile): void {
  checkSize(request.size, profile);
  checkChoice("quality", request.quality, profile.qualities);
  checkChoice("background", request.background, profile.backgrounds);
  checkPrompt(request.prompt, profile);
  checkTogether(request, profile);
  for (const [parameter, harmless] of Object.entries(harmlessValues) as [
    HarmlessParameter,
    readonly unknown[],
  ][]) {
    const value = request[parameter];
    if (value === undefined || profile.parameters.includes(parameter) || harmless.includes(value)) continue;
    throw new GatewayError(
      "unsupported_parameter",
      `Unsupported parameter: '${parameter}' is not supported with this model.`,
      { param: parameter },
    );
  }
}

type HarmlessParameter = Extract<
  ImageParameter,
  "moderation" | "style" | "input_fidelity" | "size" | "quality" | "background"
>;

/** For parameters that only an upstream can carry out: the values that ask for what happens without them. */
const harmlessValues: Readonly<Record<HarmlessParameter, readonly unknown[]>> = {
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
    `Unsupported value: 'size' does not support '${size}' with this model. Width and height go from ${sides.min} to ${sides.max}.`,
    { param: "size" },
  );
}

function checkChoice(param: string, asked: string | undefined, supported: readonly string[]): void {
  if (asked !== undefined && !supported.includes(asked)) refuse(param, asked, supported);
}

function refuse(param: string, asked: string, supported: readonly string[]): never {
  const list = supported.map((value) => `'${value}'`).join(", ");
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value: '${param}' does not support '${asked}' with this model. Supported values are: ${list}.`,
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

/** Options that contradict each other, whatever the model. */
function checkTogether(request: ImageOptions, profile: ImageProfile): void {
  const format = request.output_format ?? profile.outputFormats[0] ?? "png";
  if (request.background === "transparent" && format === "jpeg") {
    throw contradiction("background", "a jpeg image cannot be transparent; use png or webp");
  }
  if (request.output_compression !== undefined && request.output_compression < 100 && format === "png") {
    throw contradiction("output_compression", "a png image is lossless; use jpeg or webp, or 100");
  }
  if (request.partial_images !== undefined && request.partial_images > 0 && request.stream !== true) {
    throw contradiction("partial_images", "it needs 'stream' to be true");
  }
  if (request.stream === true && request.response_format === "url") {
    throw contradiction("response_format", "a stream carries the images themselves; use b64_json");
  }
}

function contradiction(param: string, reason: string): GatewayError {
  return new GatewayError("invalid_value", `Invalid '${param}': ${reason}.`, { param });
}
