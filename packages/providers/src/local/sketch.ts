import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import { ImageBytes } from "@model-gateway/domain/image-bytes";
import type { ImageFormat } from "@model-gateway/domain/image-profile";
import type { ImageReply, ImageRequest, UpstreamImageEvent } from "@model-gateway/domain/requests";
import { describeImage, previewImage, type SketchOptions } from "@model-gateway/sketch";
import { sketchModel } from "./local-models.js";

/** The options of one sketch. Without a size, the operation resolves `auto`. */
type AutoSizeOptions = Omit<SketchOptions, "width" | "height"> &
  Partial<Pick<SketchOptions, "width" | "height">>;

interface SketchOperation {
  /** The first part of its events' names. */
  readonly verb: "image_generation" | "image_edit";
  /** The words of a prompt that cannot be drawn. */
  readonly unknownWords: (prompt: string) => Promise<readonly string[]>;
  readonly createImage: (options: AutoSizeOptions) => Promise<Buffer>;
}

/** Creates the images of a request one after the other, as one document or as events. */
export async function createSketches(
  request: ImageRequest,
  { verb, unknownWords, createImage }: SketchOperation,
): Promise<ImageReply> {
  refuseUnsupported(request);
  const options = sketchOptions(request);
  const count = request.n ?? 1;
  const identifier = effectiveIdentifier(request);

  async function* images(): AsyncGenerator<Buffer> {
    for (let index = 0; index < count; index += 1) yield await createImage({ ...options, index });
  }
  async function* events(): AsyncGenerator<UpstreamImageEvent> {
    const partials = request.partial_images ?? 0;
    for await (const image of images()) {
      const description = { created_at: nowSeconds(), ...(await describe(image, options)) };
      for (let partial = 0; partial < partials; partial += 1) {
        const preview = await previewImage(image, { ...options, progress: partial / partials });
        const content = ImageBytes.fromBinary(preview);
        yield { type: `${verb}.partial_image`, content, partial_image_index: partial, ...description };
      }
      const content = ImageBytes.fromBinary(image);
      yield { type: `${verb}.completed`, content, ...description, ...identifier };
    }
  }
  if (request.stream === true) return { events: events() };
  const revised = revisedPrompt(request.prompt, await unknownWords(request.prompt));
  const created: Buffer[] = [];
  for await (const image of images()) created.push(image);
  const [first] = created;
  return {
    images: {
      created: nowSeconds(),
      data: created.map((image) => ({ content: ImageBytes.fromBinary(image), ...revised })),
      ...(first && (await describe(first, options))),
      ...identifier,
    },
  };
}

/** Names the words that became flowers, or they would look like a misunderstanding. */
function revisedPrompt(prompt: string, unknown: readonly string[]): { revised_prompt?: string } {
  if (unknown.length === 0) return {};
  return { revised_prompt: `${prompt} (${sketchModel} has no drawing for: ${unknown.join(", ")})` };
}

/** The qualities of every profile, since an operator may give this model any of them. Others are `medium`. */
const sketchQualities: Readonly<Record<string, SketchOptions["quality"]>> = {
  low: "low",
  high: "high",
  hd: "high",
  xhigh: "high",
  max: "high",
};

/** Some profiles accept parameters that a sketch cannot follow. They are refused here. */
function refuseUnsupported(request: ImageRequest): void {
  const { style, moderation, input_fidelity, complexity, frame_count, frame_duration_ms, svg } = request;
  const unsupported = Object.entries({
    style,
    input_fidelity,
    complexity,
    frame_count,
    frame_duration_ms,
    svg,
    moderation: moderation === "auto" ? undefined : moderation,
  });
  for (const [param, value] of unsupported) if (value !== undefined) throw unsupportedParameter(param);
}

export function unsupportedParameter(param: string): GatewayError {
  return errorOf("unsupported_parameter", { param });
}

/** As OpenAI reports it: the safety identifier, or else the user. */
function effectiveIdentifier({ safety_identifier, user }: ImageRequest): { safety_identifier?: string } {
  const effective = safety_identifier || user;
  return effective ? { safety_identifier: effective } : {};
}

function sketchOptions({
  prompt,
  size = "auto",
  quality,
  background,
  ...request
}: ImageRequest): AutoSizeOptions {
  const [width, height] = size.split("x").map(Number);
  return {
    prompt,
    background: background === "transparent" ? "transparent" : "opaque",
    format: sketchFormat(request.output_format),
    quality: sketchQualities[quality ?? "auto"] ?? "medium",
    index: 0,
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(request.output_compression === undefined ? {} : { compression: request.output_compression }),
  };
}

function sketchFormat(format: ImageFormat = "png"): SketchOptions["format"] {
  if (format !== "gif") return format;
  throw errorOf("unsupported_value", { param: "output_format", value: "gif" });
}

/** Describes the image itself, not the request for it. */
async function describe(image: Buffer, { format, quality }: AutoSizeOptions) {
  const { width, height, hasAlpha } = await describeImage(image);
  return {
    background: hasAlpha ? "transparent" : "opaque",
    output_format: format,
    quality,
    size: `${width}x${height}`,
    usage: noTokens,
  } as const;
}

/** A sketch has no tokens, but clients expect the field. */
const noTokens = {
  input_tokens: 0,
  input_tokens_details: { text_tokens: 0, image_tokens: 0 },
  output_tokens: 0,
  total_tokens: 0,
};

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
