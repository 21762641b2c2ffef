import type { z } from "zod";
import type { UsageLimits } from "../../domain/access-key.js";
import { defaultSpace, type ImageTarget, type Model, type Price, type Target } from "../../domain/model.js";
import { billedOperations } from "../../operations.js";
import type { Provider } from "../../providers/provider.js";
import { describeUpstream, providerOf } from "../../providers/registry.js";
import { listedPrice } from "../../usage/price-catalogue.js";
import type { DiscoverySettings } from "../config.js";
import { modelSchema } from "../schema/model-schema.js";
import type { ConfigFile } from "../schema/schema.js";
import {
  type embeddingPriceSchema,
  type imagePriceSchema,
  milliseconds,
  type usageLimitsSchema,
} from "../schema/schema-parts.js";
import { resolveEmbeddingTarget, resolveEmbeddingTraits, resolveProfile } from "./provider-traits.js";

type ModelFile = ConfigFile["models"][string];
type EmbeddingModelFile = Extract<ModelFile, { type: "embedding" }>;
type PriceFile = z.output<typeof embeddingPriceSchema> | z.output<typeof imagePriceSchema>;

/** A model of the file, with its defaults filled in. */
export function resolveModel(id: string, model: ModelFile, upstreams: ConfigFile["upstreams"]): Model {
  const providers = model.targets.map((target) => providerOfTarget(target, upstreams));
  const base = {
    id,
    strategy: model.strategy,
    deadlineMs: model.deadlineMs ?? defaultDeadlineMs(model, upstreams),
    ...(model.retries === undefined ? {} : { retries: model.retries }),
    ...(model.description === undefined ? {} : { description: model.description }),
    ...(model.shutdownDate === undefined ? {} : { shutdownDate: model.shutdownDate }),
    ...(model.aliases === undefined ? {} : { aliases: model.aliases }),
    // `checkPassThrough` refuses targets with different lists.
    ...(model.targets[0]?.passThrough === undefined ? {} : { passThrough: model.targets[0].passThrough }),
    ...(model.limits === undefined ? {} : { limits: resolveUsageLimits(model.limits) }),
  };
  if (model.type === "image") {
    const traits = model.targets.map(({ model: name, upstream }, index) =>
      providers[index]?.images?.(name, upstreams[upstream]),
    );
    const profile = resolveProfile(model, traits);
    const targets = model.targets.map((target, index): ImageTarget => {
      const { mask } = traits[index] ?? {};
      const plain = plainTarget(target, resolvePrice(target, model, upstreams));
      return mask === undefined ? plain : { ...plain, mask };
    });
    return {
      ...base,
      type: "image",
      profile,
      targets: atLeastOne(id, targets),
      ...(model.fallback === undefined ? {} : { fallback: model.fallback }),
    };
  }
  const { matryoshka, maxInputs, dimensions, clientTokenizer } = model;
  const traits = model.targets.map(({ model: name }, index) => providers[index]?.embeddings?.(name));
  // All targets share a vector space and so a vocabulary: that of one provider holds for all of them.
  const tokenizer = model.tokenizer ?? traits.find((one) => one?.tokenizer !== undefined)?.tokenizer;
  const cache = model.cache ?? defaultCache(dimensions, providers);
  return {
    ...base,
    type: "embedding",
    space: spaceOf(model),
    ...(model.revision === undefined ? {} : { revision: model.revision }),
    matryoshka,
    maxInputs,
    targets: atLeastOne(
      id,
      model.targets.map((target, index) => ({
        ...plainTarget(target, resolvePrice(target, model, upstreams)),
        ...resolveEmbeddingTarget(target, model, traits[index]),
      })),
    ),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...resolveEmbeddingTraits(model, traits),
    ...(tokenizer === undefined ? {} : { tokenizer }),
    ...(clientTokenizer === undefined ? {} : { clientTokenizer }),
    ...(model.coalesce === undefined ? {} : { coalesce: model.coalesce }),
    ...(model.hedge === undefined ? {} : { hedge: model.hedge }),
    ...(model.shadow === undefined ? {} : { shadow: model.shadow }),
    ...(cache === false ? {} : { cache: { ttlMs: milliseconds(cache.ttl), countTokens: cache.countTokens } }),
  };
}

/** A rule becomes a template: a model like one of the file, with a `*` for the name. */
export function resolveDiscoveries(upstreams: ConfigFile["upstreams"]): Map<string, DiscoverySettings> {
  const settings = Object.entries(upstreams).flatMap(([name, upstream]) => {
    const { discovery } = describeUpstream(name, upstream, "");
    if (discovery === undefined) return [];
    const templates = discovery.rules.map(({ include, type, dimensions }) => {
      const targets = [{ upstream: name, model: "*" }];
      const model = modelSchema.parse({
        type: type ?? "embedding",
        targets,
        ...(dimensions === undefined ? {} : { dimensions }),
      });
      return { include, isProbed: type === undefined, template: resolveModel("*", model, upstreams) };
    });
    return [[name, { everyMs: discovery.everyMs, templates }] as const];
  });
  return new Map(settings);
}

/**
 * One target: its timeout. Several: enough for a target that stalls for all of its own time, and for another attempt
 * elsewhere.
 */
function defaultDeadlineMs({ type, targets }: ModelFile, upstreams: ConfigFile["upstreams"]): number {
  const operation = type === "image" ? "createImage" : "createEmbedding";
  const timeouts = targets.map(({ upstream: name }) => {
    const upstream = upstreams[name];
    const described = upstream && describeUpstream(name, upstream, "");
    return (
      described?.timeoutMs ??
      described?.defaultTimeoutsMs?.[operation] ??
      billedOperations[operation].timeoutMs
    );
  });
  return Math.max(...timeouts) * (targets.length > 1 ? 2 : 1);
}

/** The vector space of the first target. `checkVectorSpaces` refuses targets with different spaces. */
function spaceOf({ targets, dimensions }: EmbeddingModelFile): string {
  const [first] = targets;
  return first?.space ?? defaultSpace(first?.model ?? "", dimensions);
}

/** Without `cache` in the file, a model has one only if its width is known and every provider has a default TTL. */
function defaultCache(
  dimensions: number | undefined,
  providers: readonly Provider[],
): false | { readonly ttl: string; readonly countTokens: boolean } {
  const ttls = providers.map(({ defaults }) => defaults.cacheTtl);
  const ttl = ttls.includes(undefined) ? undefined : ttls[0];
  return dimensions === undefined || ttl === undefined ? false : { ttl, countTokens: true };
}

/** `checkUpstreamsExist` refuses a target without an upstream. */
function providerOfTarget({ upstream }: { upstream: string }, upstreams: ConfigFile["upstreams"]): Provider {
  return providerOf(String(upstreams[upstream]?.provider));
}

function plainTarget(target: ModelFile["targets"][number], price: Price | undefined): Target {
  const { upstream, model, weight, tier } = target;
  const { maxConcurrency, requestsPerMinute, tokensPerMinute, interactiveShare } = target;
  return {
    upstream,
    model,
    weight,
    tier,
    capacity: {
      ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
      ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
      ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
      ...(interactiveShare === undefined ? {} : { interactiveShare }),
    },
    ...(price === undefined ? {} : { price }),
  };
}

/** The price of a target: its own, else its model's, its provider's, or that of the catalogue. Undefined if unknown. */
function resolvePrice(
  target: ModelFile["targets"][number],
  model: ModelFile,
  upstreams: ConfigFile["upstreams"],
): Price | undefined {
  const configured = target.price ?? model.price;
  if (configured !== undefined) return withoutAbsent(configured);
  const upstream = upstreams[target.upstream];
  if (upstream === undefined) return undefined;
  const { price } = providerOf(String(upstream.provider)).defaults;
  if (price !== undefined) return price[model.type];
  const { baseUrl } = describeUpstream(target.upstream, upstream, "");
  return baseUrl === undefined ? undefined : listedPrice(baseUrl, target.model);
}

function withoutAbsent(price: PriceFile): Price {
  if ("perMillionTokens" in price) return price;
  const { perImage, perMillionInputTokens, perMillionOutputTokens } = price;
  return {
    ...(perImage === undefined ? {} : { perImage }),
    ...(perMillionInputTokens === undefined ? {} : { perMillionInputTokens }),
    ...(perMillionOutputTokens === undefined ? {} : { perMillionOutputTokens }),
  };
}

function atLeastOne<T>(id: string, targets: readonly T[]): readonly [T, ...T[]] {
  const [first, ...others] = targets;
  if (first === undefined) throw new Error(`The model ${id} has no target.`);
  return [first, ...others];
}

/** The limits without the absent ones. */
export function resolveUsageLimits(limits: z.output<typeof usageLimitsSchema>): UsageLimits {
  return withoutUndefined(limits);
}

export function withoutUndefined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  // Only keys whose value is undefined are gone, and the type above excludes those.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
