import type {
  ImageEnvelope,
  ImageFormat,
  ImageParameter,
  ImageProfile,
} from "@model-gateway/domain/image-profile";
import { type ImageProfileName, imageProfiles } from "@model-gateway/domain/image-profiles";

/** An operator's changes to one of the common profiles. */
interface ProfileChanges {
  /** Absent: like the profile of its provider. */
  readonly like?: ImageProfileName | undefined;
  readonly sizes?: readonly string[] | undefined;
  readonly qualities?: readonly string[] | undefined;
  readonly backgrounds?: readonly string[] | undefined;
  readonly outputFormats?: readonly ImageFormat[] | undefined;
  readonly responseFormats?: readonly ImageEnvelope[] | undefined;
  readonly maxN?: number | undefined;
  readonly maxPromptLength?: number | undefined;
  readonly edits?: boolean | undefined;
  readonly onlyEdits?: boolean | undefined;
  readonly mask?: boolean | undefined;
  readonly markup?: boolean | undefined;
  readonly maxImages?: number | undefined;
  readonly streaming?: boolean | undefined;
  readonly seed?: boolean | undefined;
  readonly negativePrompt?: boolean | undefined;
}

/** The parameters that OpenAI's API does not have. */
const extensions: readonly ImageParameter[] = ["seed", "negative_prompt"];

/**
 * A profile with an operator's changes. It sends no parameter that is left with a single possible value, or with no use.
 *
 * @param own The profile of the provider.
 */
export function customProfile(given: ProfileChanges, own: ImageProfile): ImageProfile {
  const { like, seed, negativePrompt, ...changes } = given;
  const changed = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const base: ImageProfile = like === undefined ? own : imageProfiles[like];
  const profile: ImageProfile = { ...base, ...changed, name: `like ${base.name}` };
  const isUseless: Partial<Record<ImageParameter, boolean>> = {
    size: profile.sizes.length < 2,
    quality: profile.qualities.length < 2,
    background: profile.backgrounds.length < 2,
    output_format: profile.outputFormats.length < 2,
    output_compression: profile.outputFormats.length < 2,
    frame_count: !profile.outputFormats.includes("gif"),
    frame_duration_ms: !profile.outputFormats.includes("gif"),
    svg: !profile.outputFormats.includes("svg"),
    response_format: profile.responseFormats.length < 2,
    n: profile.maxN < 2,
    stream: !profile.streaming,
    partial_images: !profile.streaming,
  };
  const isTaken: Partial<Record<ImageParameter, boolean | undefined>> = {
    seed,
    negative_prompt: negativePrompt,
  };
  const added = extensions.filter((name) => isTaken[name] === true && !profile.parameters.includes(name));
  const kept = profile.parameters.filter(
    (parameter) => isUseless[parameter] !== true && isTaken[parameter] !== false,
  );
  return { ...profile, parameters: [...kept, ...added] };
}
