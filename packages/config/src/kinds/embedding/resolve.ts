import {
  defaultSpace,
  type EmbeddingModel,
  type EmbeddingTarget,
  type Target,
} from "@model-gateway/domain/model";
import { milliseconds } from "@model-gateway/domain/settings";
import type { Provider } from "@model-gateway/providers/provider";
import type { EmbeddingTraits } from "@model-gateway/providers/traits";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { type ModelParts, mapTargets, type TargetParts } from "../kind.js";
import { commonInputImages, inputImagesOf } from "./input-images.js";
import { commonInputMedia, inputMediaOf } from "./input-media.js";
import { commonInputTypes, inputTypesOf } from "./input-types.js";
import type { EmbeddingFile } from "./settings.js";

const defaultTokensPerRequest = 300_000;

/** A configured model: its providers' declarations, overridden by the operator's values. */
export function resolveEmbeddingModel(
  file: EmbeddingFile,
  { base, targets }: ModelParts<EmbeddingFile>,
): EmbeddingModel {
  const traits = targets.map(traitsOf);
  const resolved = mapTargets(targets, (parts) => ({
    ...parts.target,
    ...resolveTarget(parts.file, file, traitsOf(parts)),
  }));
  const { matryoshka, maxInputs, dimensions, clientTokenizer, coalesce, hedge, shadow, revision } = file;
  const [{ file: first }] = targets;
  return {
    ...base,
    type: "embedding",
    // `checkSpaces` refuses targets with different spaces.
    space: first.space ?? defaultSpace(first.model, dimensions),
    matryoshka,
    maxInputs,
    targets: resolved,
    ...resolveTraits(file, traits),
    ...withoutUndefined({
      revision,
      dimensions,
      inputImages: commonInputImages(resolved),
      inputMedia: commonInputMedia(resolved),
      // All targets share a vector space and so a vocabulary: one provider's vocabulary holds for all of them.
      tokenizer: file.tokenizer ?? traits.find((one) => one?.tokenizer !== undefined)?.tokenizer,
      clientTokenizer,
      coalesce,
      hedge,
      shadow,
      cache: resolveCache(
        file,
        targets.map(({ provider }) => provider),
      ),
    }),
  };
}

function traitsOf({ model, provider }: TargetParts<EmbeddingFile>): EmbeddingTraits | undefined {
  return provider.embeddings?.(model);
}

/** Without `cache` in the file, a model has one only if its width is known and every provider has a default TTL. */
function resolveCache(
  { cache, dimensions }: EmbeddingFile,
  providers: readonly Provider[],
): EmbeddingModel["cache"] {
  if (cache === false) return undefined;
  if (cache !== undefined) return { ttlMs: milliseconds(cache.ttl), countTokens: cache.countTokens };
  const ttls = providers.map(({ defaults }) => defaults.cacheTtl);
  const ttl = ttls.includes(undefined) ? undefined : ttls[0];
  if (dimensions === undefined || ttl === undefined) return undefined;
  return { ttlMs: milliseconds(ttl), countTokens: true };
}

/** @param traits Absent only where the provider has no embeddings, which is refused. */
function resolveTarget(
  target: EmbeddingFile["targets"][number],
  model: EmbeddingFile,
  traits: EmbeddingTraits | undefined,
): Omit<EmbeddingTarget, keyof Target> {
  return {
    maxInputs: target.maxInputs ?? Math.min(traits?.maxInputs ?? model.maxInputs, model.maxInputs),
    maxTokensPerRequest: target.maxTokensPerRequest ?? traits?.maxTokensPerRequest ?? defaultTokensPerRequest,
    maxCharactersPerRequest:
      target.maxCharactersPerRequest ?? traits?.maxCharactersPerRequest ?? Number.POSITIVE_INFINITY,
    dimensions: target.dimensions ?? traits?.dimensions ?? "pass",
    takesUser: traits?.takesUser ?? false,
    normalizes: model.normalize ?? traits?.unitVectors === "not-always",
    ...withoutUndefined({
      bulkMaxInputs: target.bulkMaxInputs,
      dimensionsField: target.dimensionsField,
      encoding: target.encoding ?? onlyEncoding(traits),
      widths: traits?.widths,
      inputImages: inputImagesOf(target, traits),
      inputMedia: inputMediaOf(target, traits),
      inputTypes: passesInputType(target) ? ("as-is" as const) : inputTypesOf(target, traits),
      inputTypeField: target.inputTypeField ?? traits?.inputTypeField,
    }),
  };
}

/** Common to all targets of a model: the smallest limit, and the words that every one knows. */
function resolveTraits(
  model: EmbeddingFile,
  traits: readonly (EmbeddingTraits | undefined)[],
): Pick<EmbeddingModel, "maxTokens" | "inputTypes" | "inputType" | "outputDtypes" | "unitVectors"> {
  const limits = traits.flatMap((one) => one?.maxTokens ?? []);
  const maxTokens = model.maxTokens ?? (limits.length === 0 ? undefined : Math.min(...limits));
  const common = commonInputTypes(traits.map((one, index) => inputTypesOf(model.targets[index] ?? {}, one)));
  // `checkPassThrough` refuses targets that differ.
  const inputTypes = model.targets.some(passesInputType) ? "any" : common.size === 0 ? undefined : common;
  const outputDtypes = commonOutputDtypes(traits);
  return {
    unitVectors: traits.every((one) => hasUnitVectors(one, model.normalize)),
    ...withoutUndefined({ maxTokens, inputTypes, inputType: model.inputType, outputDtypes }),
  };
}

function hasUnitVectors(traits: EmbeddingTraits | undefined, normalize: boolean | undefined): boolean {
  if (traits?.unitVectors === "always") return true;
  return normalize ?? traits?.unitVectors === "not-always";
}

/** Any target may serve a request, so all must know the type. */
function commonOutputDtypes(
  traits: readonly (EmbeddingTraits | undefined)[],
): EmbeddingModel["outputDtypes"] {
  const [first, ...others] = traits.map((one) => one?.outputDtypes ?? []);
  const common = first?.filter((dtype) => others.every((other) => other.includes(dtype))) ?? [];
  return common.length === 0 ? undefined : new Set(common);
}

function passesInputType({ passThrough }: EmbeddingFile["targets"][number]): boolean {
  return passThrough?.includes("input_type") === true;
}

/** A provider that only returns numbers gets no encoding parameter. */
function onlyEncoding(traits: EmbeddingTraits | undefined): EmbeddingTarget["encoding"] {
  return traits?.encodings.includes("base64") === false ? "none" : undefined;
}
