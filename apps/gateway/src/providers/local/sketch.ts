import { describeImage, type SketchOptions } from "@model-gateway/sketch";
import type { ImageEvent, ImageReply, ImageRequest } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";

/** The options of one sketch. Without a size, the operation decides what `auto` is. */
type AutoSizeOptions = Omit<SketchOptions, "width" | "height"> &
  Partial<Pick<SketchOptions, "width" | "height">>;

interface SketchOperation {
  readonly event: "image_generation.completed" | "image_edit.completed";
  readonly createImage: (options: AutoSizeOptions) => Promise<Buffer>;
}

/** Creates the images of a request one after the other, as one document or as events. */
export async function createSketches(
  request: ImageRequest,
  { event, createImage }: SketchOperation,
): Promise<ImageReply> {
  refuseUnsupported(request);
  const options = sketchOptions(request);
  const count = request.n ?? 1;

  async function* images(): AsyncGenerator<Buffer> {
    for (let index = 0; index < count; index += 1) yield await createImage({ ...options, index });
  }
  async function* events(): AsyncGenerator<ImageEvent> {
    for await (const image of images()) {
      const b64_json = image.toString("base64");
      yield {
        type: event,
        b64_json,
        created_at: nowSeconds(),
        ...(await describe(image, options)),
      };
    }
  }
  if (request.stream === true) return { events: events() };
  const created: Buffer[] = [];
  for await (const image of images()) created.push(image);
  const [first] = created;
  return {
    images: {
      created: nowSeconds(),
      data: created.map((image) => ({ b64_json: image.toString("base64") })),
      ...(first && (await describe(first, options))),
    },
  };
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
function refuseUnsupported({ style, moderation, input_fidelity }: ImageRequest): void {
  const unsupported = Object.entries({
    style,
    input_fidelity,
    moderation: moderation === "auto" ? undefined : moderation,
  });
  for (const [param, value] of unsupported) {
    if (value === undefined) continue;
    throw new GatewayError(
      "unsupported_parameter",
      `Unsupported parameter: '${param}' is not supported with this model.`,
      { param },
    );
  }
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
    format: request.output_format ?? "png",
    quality: sketchQualities[quality ?? "auto"] ?? "medium",
    index: 0,
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(request.output_compression === undefined ? {} : { compression: request.output_compression }),
  };
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
