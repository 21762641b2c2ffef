import type { ImageEnvelope, ImageFormat, ImageParameter, ImageProfile } from "../../domain/image-profile.js";
import type { ImageRequest } from "../../domain/requests.js";
import { checkOptions } from "./check-options.js";

/** How a request is carried out: the upstream calls, and the form in which the images are delivered. */
export interface ImagePlan<R extends ImageRequest> {
  /** One request for each upstream call. Their `n` add up to the caller's. */
  readonly calls: readonly R[];
  readonly delivery: DeliveryForm;
  /** Whether the caller asked for events. */
  readonly stream: boolean;
}

/** The form in which images are delivered. */
export interface DeliveryForm {
  readonly envelope: ImageEnvelope;
  /** Absent if the caller accepts the format of the upstream. */
  readonly format?: ImageFormat;
  /** In percent. Present if the gateway must compress, because the upstream does not. */
  readonly compression?: number;
  /** The quality to report if the upstream reports none. */
  readonly quality?: string;
}

/** The parameters that the gateway can carry out itself. */
const emulated: ReadonlySet<ImageParameter> = new Set([
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
];

/** Checks the options against the profile and plans the calls. Each is passed on, emulated or refused, never dropped. */
export function planImages<R extends ImageRequest>(request: R, profile: ImageProfile): ImagePlan<R> {
  checkOptions(request, profile);
  const format = request.output_format;
  const upstreamEncodes = format === undefined || profile.outputFormats.includes(format);
  const call: R = { ...request };
  for (const parameter of [...emulated, ...onlyUpstream]) {
    if (emulated.has(parameter) || isRedundant(parameter, request, profile)) delete call[parameter];
  }
  Object.assign(call, {
    ...(upstreamEncodes && pick(request, profile, ["output_format", "output_compression"])),
    // Image data can be checked at once, so links are only requested from an upstream that has nothing else.
    ...(supports(profile, "response_format") &&
      profile.responseFormats.includes("b64_json") && { response_format: "b64_json" }),
    ...(profile.streaming && request.stream === true && pick(request, profile, ["stream", "partial_images"])),
  });
  return {
    calls: splitCount(request.n ?? 1, profile.maxN).map((n) =>
      n > 1 && supports(profile, "n") ? { ...call, n } : call,
    ),
    delivery: {
      envelope:
        request.response_format ??
        (request.stream === true ? "b64_json" : (profile.responseFormats[0] ?? "b64_json")),
      ...(format === undefined ? {} : { format }),
      ...ownCompression(request, profile, upstreamEncodes),
      ...(request.quality === undefined || request.quality === "auto" ? {} : { quality: request.quality }),
    },
    stream: request.stream === true,
  };
}

/** The compression that is left to the gateway. */
function ownCompression(
  request: ImageRequest,
  profile: ImageProfile,
  upstreamEncodes: boolean,
): { compression?: number } {
  const { output_compression: compression } = request;
  const isPassedOn = upstreamEncodes && supports(profile, "output_compression");
  return compression === undefined || compression === 100 || isPassedOn ? {} : { compression };
}

/** A parameter that the upstream lacks can be left out: `checkOptions` has let only its default value pass. */
function isRedundant(parameter: ImageParameter, request: ImageRequest, profile: ImageProfile): boolean {
  return !supports(profile, parameter) || (profile.autoIsAbsent && request[parameter] === "auto");
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
