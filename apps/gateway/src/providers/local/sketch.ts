import { describePicture, type SketchOptions } from "@model-gateway/local-models";
import type { ImageEvent, ImageReply, ImageRequest } from "../../domain/requests.js";
import { GatewayError } from "../../errors.js";

type DrawOptions = Omit<SketchOptions, "width" | "height"> & Partial<Pick<SketchOptions, "width" | "height">>;

interface Drawing {
  readonly event: "image_generation.completed" | "image_edit.completed";
  /** Without a size, the one that `auto` stands for. */
  readonly draw: (options: DrawOptions) => Promise<Buffer>;
}

/** Draws the images one after the other and says what they are, as one document or as events. */
export async function sketchAnswer(request: ImageRequest, drawing: Drawing): Promise<ImageReply> {
  refuseForeign(request);
  const options = drawOptions(request);
  const count = request.n ?? 1;

  async function* images(): AsyncGenerator<Buffer> {
    for (let index = 0; index < count; index += 1) yield await drawing.draw({ ...options, index });
  }
  async function* events(): AsyncGenerator<ImageEvent> {
    for await (const image of images()) {
      const b64_json = image.toString("base64");
      yield {
        type: drawing.event,
        b64_json,
        created_at: nowSeconds(),
        ...(await describe(image, options)),
      };
    }
  }
  if (request.stream === true) return { events: events() };
  const drawn: Buffer[] = [];
  for await (const image of images()) drawn.push(image);
  const [first] = drawn;
  return {
    images: {
      created: nowSeconds(),
      data: drawn.map((image) => ({ b64_json: image.toString("base64") })),
      ...(first && (await describe(first, options))),
    },
  };
}

/** The qualities of every profile, so that a sketch may stand in for any model. */
const sketchQualities: Readonly<Record<string, SketchOptions["quality"]>> = {
  low: "low",
  high: "high",
  hd: "high",
  xhigh: "high",
  max: "high",
};

/** An operator may give the model the profile of another; what a sketch cannot do is refused all the same. */
function refuseForeign({ style, moderation, input_fidelity }: ImageRequest): void {
  const foreign = Object.entries({
    style,
    input_fidelity,
    moderation: moderation === "auto" ? undefined : moderation,
  });
  for (const [param, value] of foreign) {
    if (value === undefined) continue;
    throw new GatewayError(
      "unsupported_parameter",
      `Unsupported parameter: '${param}' is not supported with this model.`,
      { param },
    );
  }
}

function drawOptions({ prompt, size = "auto", quality, background, ...request }: ImageRequest): DrawOptions {
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

/** Says what the image is by looking at it, not at what was asked. */
async function describe(image: Buffer, { format, quality }: DrawOptions) {
  const { width, height, hasAlpha } = await describePicture(image);
  return {
    background: hasAlpha ? "transparent" : "opaque",
    output_format: format,
    quality,
    size: `${width}x${height}`,
    usage: noTokens,
  } as const;
}

/** Drawings are not made of tokens; clients count on the field all the same. */
const noTokens = {
  input_tokens: 0,
  input_tokens_details: { text_tokens: 0, image_tokens: 0 },
  output_tokens: 0,
  total_tokens: 0,
};

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
