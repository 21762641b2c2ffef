import type { ImageParameter, ImageProfile } from "../domain/image-profile.js";
import type { ImageOptions, ImageRequest } from "../domain/requests.js";
import { GatewayError } from "../errors.js";

/**
 * Checks every option against what the profile can do and leaves in the request only what its upstream takes.
 * What is left out is what the upstream does anyway, so nothing that was asked for is lost.
 */
export function fitToProfile<R extends ImageRequest>(request: R, profile: ImageProfile): R {
  checkChoice("size", { asked: request.size, supported: profile.sizes, any: "WIDTHxHEIGHT" });
  checkChoice("quality", { asked: request.quality, supported: profile.qualities });
  checkChoice("background", { asked: request.background, supported: profile.backgrounds });
  checkChoice("output_format", { asked: request.output_format, supported: profile.outputFormats });
  checkChoice("response_format", { asked: request.response_format, supported: profile.responseFormats });
  checkPrompt(request.prompt, profile);
  if ((request.n ?? 1) > profile.maxN) {
    throw new GatewayError(
      "integer_above_max_value",
      `Invalid 'n': this model makes at most ${profile.maxN}.`,
      { param: "n" },
    );
  }
  checkTogether(request);

  const fitted: R = { ...request };
  for (const parameter of Object.keys(redundantValues) as ImageParameter[]) {
    if (request[parameter] === undefined || profile.parameters.includes(parameter)) continue;
    if (!redundantValues[parameter].includes(request[parameter])) {
      throw new GatewayError(
        "unsupported_parameter",
        `Unsupported parameter: '${parameter}' is not supported with this model. It takes: ${profile.parameters.join(", ")}.`,
        { param: parameter },
      );
    }
    delete fitted[parameter];
  }
  if (profile.autoIsAbsent && fitted.size === "auto") delete fitted.size;
  if (profile.autoIsAbsent && fitted.quality === "auto") delete fitted.quality;
  return fitted;
}

/** The values of each parameter that ask for what happens without it. The choices above decide which of them a profile has. */
const redundantValues: Readonly<Record<ImageParameter, readonly unknown[]>> = {
  size: ["auto"],
  quality: ["auto"],
  background: ["auto", "opaque"],
  n: [1],
  moderation: ["auto"],
  output_compression: [],
  output_format: ["png"],
  response_format: ["b64_json"],
  style: [],
  input_fidelity: [],
  stream: [false],
  partial_images: [0],
};

function checkChoice(
  param: string,
  choice: { asked: string | undefined; supported: readonly string[]; any?: string },
): void {
  const { asked, supported, any } = choice;
  if (asked === undefined || supported.includes(asked)) return;
  if (any !== undefined && supported.includes(any)) return;
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value: '${param}' does not support '${asked}' with this model. Supported values are: ${supported
      .map((value) => `'${value}'`)
      .join(", ")}.`,
    { param },
  );
}

function checkPrompt(prompt: string, profile: ImageProfile): void {
  if (prompt.length <= profile.maxPromptLength) return;
  throw new GatewayError(
    "string_above_max_length",
    `Invalid 'prompt': it has ${prompt.length} characters; this model takes at most ${profile.maxPromptLength}.`,
    { param: "prompt" },
  );
}

/** Options that contradict each other, whatever the model. */
function checkTogether(request: ImageOptions): void {
  const format = request.output_format ?? "png";
  if (request.background === "transparent" && format === "jpeg") {
    throw new GatewayError(
      "invalid_value",
      "Invalid 'background': a jpeg picture can not be transparent; use png or webp.",
      {
        param: "background",
      },
    );
  }
  if (request.output_compression !== undefined && request.output_compression < 100 && format === "png") {
    throw new GatewayError(
      "invalid_value",
      "Invalid 'output_compression': a png picture is lossless; use jpeg or webp, or 100.",
      { param: "output_compression" },
    );
  }
  if (request.partial_images !== undefined && request.partial_images > 0 && request.stream !== true) {
    throw new GatewayError("invalid_value", "Invalid 'partial_images': it needs 'stream' to be true.", {
      param: "partial_images",
    });
  }
}
