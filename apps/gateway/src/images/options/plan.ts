import {
  type ImageEnvelope,
  type ImageFormat,
  type ImageParameter,
  type ImageProfile,
  isRaster,
} from "@model-gateway/domain/image-profile";
import type { ImageRequest } from "@model-gateway/domain/requests";
import { formatOf } from "./check-combinations.js";
import { checkOptions } from "./check-options.js";
import { equalQuality } from "./equal-quality.js";

/** The plan of a request: the upstream calls, and the form in which the images are delivered. */
export interface ImagePlan<R extends ImageRequest> {
  /** One request for each upstream call. Their `n` add up to the caller's. */
  readonly calls: readonly R[];
  readonly delivery: DeliveryForm;
  /** Whether the caller requested events. */
  readonly stream: boolean;
}

/** The form in which images are delivered. */
export interface DeliveryForm {
  readonly envelope: ImageEnvelope;
  /** Absent if the caller accepts any raster format of the upstream. */
  readonly format?: ImageFormat;
  /** In percent. Present if the gateway must compress, because the upstream does not. */
  readonly compression?: number;
  /** The requested background. Absent if the caller accepts either. */
  readonly background?: "transparent" | "opaque";
  /** The quality to report if the upstream reports none. */
  readonly quality?: string;
  /** Whether an image with content credentials is not converted. Absent: it is. */
  readonly keepsCredentials?: true;
}

/** The parameters that the gateway carries out itself if the upstream does not support them. */
export const emulatedParameters: ReadonlySet<ImageParameter> = new Set([
  "n",
  "output_format",
  "output_compression",
  "response_format",
  "stream",
  "partial_images",
]);

/** The parameters that only an upstream can carry out. */
const onlyUpstream: readonly ImageParameter[] = [
  "size",
  "quality",
  "background",
  "moderation",
  "style",
  "input_fidelity",
  "complexity",
  "frame_count",
  "frame_duration_ms",
  "svg",
  "safety_identifier",
  "seed",
  "negative_prompt",
];

/** One more than the largest seed in the spec. */
const seedsMax = 4_294_967_295;

/** How a request is carried out. */
interface PlanOptions {
  /** Whether partial images are wanted for a document as well. Absent: no. */
  readonly showsProgress?: boolean;
}

/** Checks the options against the profile and plans the calls. Each is passed on, emulated or refused, never dropped. */
export function planImages<R extends ImageRequest>(
  given: R,
  profile: ImageProfile,
  { showsProgress = false }: PlanOptions = {},
): ImagePlan<R> {
  const request = inWordsOf(profile, given);
  checkOptions(request, profile);
  const call: R = { ...request };
  for (const parameter of [...emulatedParameters, ...onlyUpstream]) {
    if (emulatedParameters.has(parameter) || isRedundant(parameter, request, profile)) delete call[parameter];
  }
  Object.assign(call, {
    ...upstreamFormat(request, profile),
    ...(upstreamEncodes(request, profile) && pick(request, profile, ["output_compression"])),
    // Image data can be checked at once, so links are only requested from an upstream that has nothing else.
    ...(supports(profile, "response_format") &&
      profile.responseFormats.includes("b64_json") && { response_format: "b64_json" }),
    ...(profile.streaming && request.stream === true && pick(request, profile, ["stream", "partial_images"])),
    ...(showsProgress && progressOf(request, profile)),
  });
  return {
    calls: splitCount(request.n ?? 1, profile.maxN).map((n, index) => ({
      ...call,
      ...(n > 1 && supports(profile, "n") ? { n } : {}),
      // Two calls with the same seed would create the same images.
      ...(call.seed === undefined ? {} : { seed: (call.seed + index * profile.maxN) % seedsMax }),
    })),
    delivery: deliveryOf(request, profile),
    stream: request.stream === true,
  };
}

function deliveryOf(request: ImageRequest, profile: ImageProfile): DeliveryForm {
  const { response_format, output_format, background, quality, stream } = request;
  const format = formatOf(request, profile);
  return {
    envelope: response_format ?? (stream === true ? "b64_json" : (profile.responseFormats[0] ?? "b64_json")),
    ...(output_format === undefined && isRaster(format) ? {} : { format }),
    ...ownCompression(request, profile),
    ...(background === undefined || background === "auto" ? {} : { background }),
    ...(quality === undefined || quality === "auto" ? {} : { quality }),
    ...(profile.keepsCredentials === true && { keepsCredentials: true }),
  };
}

function inWordsOf<R extends ImageRequest>(profile: ImageProfile, request: R): R {
  const quality = equalQuality(request.quality, profile);
  return quality === request.quality ? request : { ...request, quality };
}

/** The parameters with which the upstream sends partial images for a document. Empty if there will be none. */
function progressOf(
  request: ImageRequest,
  profile: ImageProfile,
): Pick<ImageRequest, "stream" | "partial_images"> {
  const { partial_images = 0 } = request;
  const canShow =
    profile.streaming && supports(profile, "partial_images") && isRaster(formatOf(request, profile));
  return canShow && partial_images > 0 ? { stream: true, partial_images } : {};
}

/** The `output_format` of the upstream's call. It is left out if the upstream's default is as good. */
function upstreamFormat(request: ImageRequest, profile: ImageProfile): { output_format?: ImageFormat } {
  const format = formatOf(request, profile);
  const { outputFormats } = profile;
  const [first = format] = outputFormats;
  const isNamed = request.output_format !== undefined && outputFormats.includes(format);
  // The gateway must be able to decode an image that it converts.
  const source = outputFormats.includes(format) ? format : outputFormats.find(isRaster);
  const isNeeded = isNamed || (source !== first && !isRaster(first));
  return isNeeded && source !== undefined && supports(profile, "output_format")
    ? { output_format: source }
    : {};
}

/** Whether the upstream creates images in the requested format. */
function upstreamEncodes(request: ImageRequest, profile: ImageProfile): boolean {
  return profile.outputFormats.includes(formatOf(request, profile));
}

/** The compression that is left to the gateway. */
function ownCompression(request: ImageRequest, profile: ImageProfile): { compression?: number } {
  const { output_compression: compression } = request;
  const isPassedOn = upstreamEncodes(request, profile) && supports(profile, "output_compression");
  return compression === undefined || compression === 100 || isPassedOn ? {} : { compression };
}

/** A parameter that the upstream lacks can be left out: `checkOptions` has let only its default value pass. */
function isRedundant(parameter: ImageParameter, request: ImageRequest, profile: ImageProfile): boolean {
  const value = request[parameter];
  // An empty safety identifier counts as absent.
  return !supports(profile, parameter) || value === "" || (profile.autoIsAbsent && value === "auto");
}

function supports(profile: ImageProfile, parameter: ImageParameter): boolean {
  return profile.parameters.includes(parameter);
}

function pick(request: ImageRequest, profile: ImageProfile, parameters: readonly ImageParameter[]): object {
  const picked = parameters.filter(
    (parameter) => supports(profile, parameter) && request[parameter] !== undefined,
  );
  return Object.fromEntries(picked.map((parameter) => [parameter, request[parameter]]));
}

/** Splits a number of images into calls for at most `maxN`. */
function splitCount(count: number, maxN: number): number[] {
  const whole = Array<number>(Math.floor(count / maxN)).fill(maxN);
  return count % maxN === 0 ? whole : [...whole, count % maxN];
}
