import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import { type ImageFormat, type ImageProfile, isRaster } from "@model-gateway/domain/image-profile";
import type { ImageEditRequest, ImageRequest } from "@model-gateway/domain/requests";

/** Refuses options that contradict each other with any model. */
export function checkCombinations(request: ImageRequest | ImageEditRequest, profile: ImageProfile): void {
  const format = formatOf(request, profile);
  if (request.background === "transparent" && format !== "png" && format !== "webp") {
    throw contradiction("background", `a ${format} image cannot be transparent; use png or webp`);
  }
  const { output_compression: compression } = request;
  if (compression !== undefined && compression < 100 && format !== "jpeg" && format !== "webp") {
    const reason = format === "png" ? "is lossless" : "has no compression level";
    throw contradiction(
      "output_compression",
      `a ${format} image ${reason}; use jpeg or webp, or a value of 100`,
    );
  }
  if (request.stream === true && request.response_format === "url") {
    throw contradiction("response_format", "a stream carries image data, not links; use b64_json");
  }
  checkAnimation(request, format);
  checkVector(request, format);
}

/** The requested format, explicit or default. */
export function formatOf(
  request: ImageRequest | ImageEditRequest,
  { outputFormats }: ImageProfile,
): ImageFormat {
  const [first = "png"] = outputFormats;
  if (request.output_format !== undefined) return request.output_format;
  // An edit cannot create an svg.
  return "images" in request ? (outputFormats.find((format) => format !== "svg") ?? first) : first;
}

/** Stream events have no name for these formats, and an animation frame is not a partial image. */
function checkAnimation(request: ImageRequest | ImageEditRequest, format: ImageFormat): void {
  if (request.stream === true && !isRaster(format)) {
    throw contradiction("stream", `a ${format} image cannot be streamed; use png, jpeg or webp`);
  }
  if (format === "gif" && "mask" in request && request.mask !== undefined) {
    throw contradiction("mask", "a gif image cannot be created with a mask; use png, jpeg or webp");
  }
  for (const param of ["frame_count", "frame_duration_ms"] as const) {
    if (request[param] !== undefined && format !== "gif")
      throw contradiction(param, "it requires 'output_format' to be gif");
  }
}

function checkVector(request: ImageRequest | ImageEditRequest, format: ImageFormat): void {
  if (request.svg !== undefined && format !== "svg") {
    throw contradiction("svg", "it requires 'output_format' to be svg");
  }
  if (format !== "svg") return;
  if ("images" in request) throw contradiction("output_format", "an edit cannot create an svg image");
  if (request.n !== undefined && request.n > 1) {
    throw contradiction("n", "one request creates one svg image; use a value of 1");
  }
}

function contradiction(param: string, reason: string): GatewayError {
  return errorOf("invalid_value", { param, reason });
}
