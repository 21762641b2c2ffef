import {
  defaultMediaLimits,
  type InputMedia,
  type MediaFormat,
  type MediaKind,
  type MediaLimits,
  mediaKinds,
} from "@model-gateway/domain/media-input";
import type { EmbeddingTraits } from "@model-gateway/providers/traits";
import { objectAt, withoutUndefined } from "@model-gateway/runtime/json";
import { mediaSettings } from "./media-settings.js";

/**
 * The media that a target takes: those of the operator, or else of its provider. Undefined: none.
 *
 * @param keys The target in the file. Of any shape: it may not be checked yet.
 */
export function inputMediaOf(
  keys: { readonly inputMedia?: unknown },
  traits: EmbeddingTraits | undefined,
): InputMedia | undefined {
  const own = objectAt({ ...keys }, "inputMedia");
  const found = mediaKinds.flatMap((kind) => {
    const limits = limitsOf(kind, own[kind], traits?.inputMedia?.[kind]);
    return limits === undefined ? [] : [[kind, limits] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The keys of all kinds. */
interface OwnLimits {
  readonly formats?: readonly MediaFormat[] | undefined;
  readonly maxPerInput?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly maxSeconds?: number | undefined;
}

function limitsOf(
  kind: MediaKind,
  own: unknown,
  known: Partial<MediaLimits> | undefined,
): MediaLimits | undefined {
  if (own === false || (own === undefined && known === undefined)) return undefined;
  const { maxPages, maxSeconds, ...given }: OwnLimits = mediaSettings[kind].safeParse(own).data ?? {};
  const maxAmount = kind === "file" ? maxPages : maxSeconds;
  const limits: MediaLimits = {
    ...defaultMediaLimits[kind],
    ...withoutUndefined(known ?? {}),
    ...withoutUndefined({ ...given, maxAmount }),
  };
  // An operator's number holds for every video.
  return maxAmount === undefined ? limits : { ...limits, maxAmountWithSound: maxAmount };
}

/** The media that every target takes which takes images: a request with them may go to each of those. */
export function commonInputMedia(
  targets: readonly { readonly inputImages?: unknown; readonly inputMedia?: InputMedia }[],
): InputMedia | undefined {
  const able = targets.filter(({ inputImages }) => inputImages !== undefined);
  const found = mediaKinds.flatMap((kind) => {
    const [first, ...others] = able.map(({ inputMedia }) => inputMedia?.[kind]);
    const common = others.reduce(smaller, first);
    return common === undefined || common.formats.length === 0 ? [] : [[kind, common] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function smaller(one: MediaLimits | undefined, other: MediaLimits | undefined): MediaLimits | undefined {
  if (one === undefined || other === undefined) return undefined;
  const maxAmount = Math.min(one.maxAmount, other.maxAmount);
  return {
    formats: one.formats.filter((format: MediaFormat) => other.formats.includes(format)),
    maxPerInput: Math.min(one.maxPerInput, other.maxPerInput),
    maxBytes: Math.min(one.maxBytes, other.maxBytes),
    maxAmount,
    maxAmountWithSound: Math.min(
      maxAmount,
      one.maxAmountWithSound ?? maxAmount,
      other.maxAmountWithSound ?? maxAmount,
    ),
  };
}
