import type { ImageEnvelope, ImageFormat, ImageParameter, ImageProfile } from "../../domain/image-profile.js";
import type { ImageRequest } from "../../domain/requests.js";
import { checkOptions } from "./check-options.js";

/** How a request is carried out: what each call asks of the upstream, and in what form the images leave. */
export interface ImagePlan<R extends ImageRequest> {
  /** One request for each upstream call. Together they ask for as many images as the caller did. */
  readonly calls: readonly R[];
  readonly delivery: Delivery;
  /** Whether the caller wants events. */
  readonly stream: boolean;
}

/** The form in which images leave. */
export interface Delivery {
  readonly envelope: ImageEnvelope;
  /** Absent where the caller takes what the upstream makes. */
  readonly format?: ImageFormat;
  /** In percent, where the gateway itself must see to it. */
  readonly compression?: number;
  /** What is answered where the upstream does not say. */
  readonly quality?: string;
}

/** The parameters that the gateway can carry out by itself. */
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

/** Checks every option against the profile and plans the calls. Nothing that was asked for is lost on the way. */
export function planImages<R extends ImageRequest>(request: R, profile: ImageProfile): ImagePlan<R> {
  checkOptions(request, profile);
  const format = request.output_format;
  const makesFormat = format === undefined || profile.outputFormats.includes(format);
  const asked: R = { ...request };
  for (const parameter of [...emulated, ...onlyUpstream]) {
    if (emulated.has(parameter) || isRedundant(parameter, request, profile)) delete asked[parameter];
  }
  Object.assign(asked, {
    ...(makesFormat && pick(request, profile, ["output_format", "output_compression"])),
    // Bytes can be checked at once; a link is only taken where there is nothing else.
    ...(takes(profile, "response_format") &&
      profile.responseFormats.includes("b64_json") && { response_format: "b64_json" }),
    ...(profile.streaming && request.stream === true && pick(request, profile, ["stream", "partial_images"])),
  });
  return {
    calls: shareOut(request.n ?? 1, profile.maxN).map((n) =>
      n > 1 && takes(profile, "n") ? { ...asked, n } : asked,
    ),
    delivery: {
      envelope:
        request.response_format ??
        (request.stream === true ? "b64_json" : (profile.responseFormats[0] ?? "b64_json")),
      ...(format === undefined ? {} : { format }),
      ...compressionLeft(request, profile, makesFormat),
      ...(request.quality === undefined || request.quality === "auto" ? {} : { quality: request.quality }),
    },
    stream: request.stream === true,
  };
}

/** The compression that the upstream was not asked for. */
function compressionLeft(
  request: ImageRequest,
  profile: ImageProfile,
  makesFormat: boolean,
): { compression?: number } {
  const { output_compression: compression } = request;
  const isAsked = makesFormat && takes(profile, "output_compression");
  return compression === undefined || compression === 100 || isAsked ? {} : { compression };
}

/** `auto`, and the values that ask for what happens anyway, need not be said to an upstream that does not know them. */
function isRedundant(parameter: ImageParameter, request: ImageRequest, profile: ImageProfile): boolean {
  return !takes(profile, parameter) || (profile.autoIsAbsent && request[parameter] === "auto");
}

function takes(profile: ImageProfile, parameter: ImageParameter): boolean {
  return profile.parameters.includes(parameter);
}

function pick(request: ImageRequest, profile: ImageProfile, parameters: readonly ImageParameter[]): object {
  const taken = parameters.filter(
    (parameter) => takes(profile, parameter) && request[parameter] !== undefined,
  );
  return Object.fromEntries(taken.map((parameter) => [parameter, request[parameter]]));
}

/** Splits a number of images into calls of at most `maxN`. */
function shareOut(count: number, maxN: number): number[] {
  const whole = Array<number>(Math.floor(count / maxN)).fill(maxN);
  return count % maxN === 0 ? whole : [...whole, count % maxN];
}
