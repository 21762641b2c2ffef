import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { z } from "zod";
import type { UsageLimits } from "../domain/access-key.js";
import { defaultSpace, type EmbeddingTarget, type Model, type Price, type Target } from "../domain/model.js";
import type { Webhook } from "../domain/webhook.js";
import { customProfile, imageProfiles } from "../images/options/profiles.js";
import { billedOperations } from "../operations.js";
import type { ProviderDefaults } from "../providers/provider.js";
import { defaultsOf, describeUpstream } from "../providers/registry.js";
import { listedPrice } from "../usage/price-catalogue.js";
import type { Config, ConfigKey, ImageSettings, S3Settings } from "./config.js";
import type { ConfigFile } from "./schema.js";
import {
  decodeWebhookSecret,
  type embeddingPriceSchema,
  type imagePriceSchema,
  type keySchema,
  milliseconds,
  type usageLimitsSchema,
} from "./schema-parts.js";

type ModelFile = ConfigFile["models"][string];
type EmbeddingModelFile = Extract<ModelFile, { type: "embedding" }>;
type PriceFile = z.output<typeof embeddingPriceSchema> | z.output<typeof imagePriceSchema>;

interface Origin {
  /** Relative paths in the file start here. */
  readonly directory: string;
  readonly isFromEnvironment: (path: readonly PropertyKey[]) => boolean;
  readonly isPlainText: (path: readonly PropertyKey[]) => boolean;
}

/** Turns the checked file into a configuration: secrets become digests, names objects, and relative paths absolute. */
export function resolveConfig(file: ConfigFile, origin: Origin): Omit<Config, "files"> {
  return {
    host: file.host,
    port: file.port,
    workers: file.workers,
    dataDir: resolve(origin.directory, file.dataDir),
    logLevel: file.logLevel,
    keys: file.keys.map(resolveKey),
    upstreams: new Map(
      Object.entries(file.upstreams).map(([name, upstream]) => [
        name,
        describeUpstream(name, upstream, origin.directory),
      ]),
    ),
    models: new Map(
      Object.entries(file.models).map(([id, model]) => [id, resolveModel(id, model, file.upstreams)]),
    ),
    limits: file.limits,
    exposeUpstream: file.exposeUpstream,
    images: resolveImages(file.images),
    ...(file.tls === undefined ? {} : { tls: file.tls }),
    ...(file.retention?.requests === undefined
      ? {}
      : { retention: { requestsMs: milliseconds(file.retention.requests) } }),
    webhooks: file.webhooks.map(resolveWebhook),
    ...(file.publicUrl === undefined ? {} : { publicUrl: file.publicUrl.replace(/\/+$/, "") }),
    ...(file.redisUrl === undefined ? {} : { redisUrl: file.redisUrl }),
    ...(file.databaseUrl === undefined ? {} : { databaseUrl: file.databaseUrl }),
    ...(file.adminKey === undefined ? {} : { adminKeySha256: digest(file.adminKey) }),
    ...(file.keySecret === undefined ? {} : { keySecret: file.keySecret }),
    warnings: [
      ...file.keys.flatMap(({ name, key }, index) =>
        key === undefined || origin.isFromEnvironment(["keys", index, "key"])
          ? []
          : [`The key "${name}" is in the configuration file as plain text. Use \${NAME} or sha256 instead.`],
      ),
      ...[["adminKey"], ["keySecret"], ["images", "secretAccessKey"], ["images", "sessionToken"]]
        .filter((path) => origin.isPlainText(path))
        .map((path) => `${path.join(".")} is in the configuration file as plain text. Use \${NAME} instead.`),
      ...file.webhooks.flatMap(({ url }, index) =>
        origin.isFromEnvironment(["webhooks", index, "secret"])
          ? []
          : [
              `The secret of the webhook at "${new URL(url).host}" is in the configuration file as plain text. Use \${NAME} instead.`,
            ],
      ),
    ],
  };
}

function resolveWebhook({ url, secret, events, budgetShares }: ConfigFile["webhooks"][number]): Webhook {
  return {
    url,
    events,
    secret: decodeWebhookSecret(secret),
    budgetShares: [...new Set(budgetShares)].sort((one, other) => one - other),
  };
}

function resolveImages(file: ConfigFile["images"]): ImageSettings {
  const { linkTtl, storeBytesMax, linkSecret } = file;
  return {
    linkTtlMs: milliseconds(linkTtl),
    storeBytesMax,
    ...(linkSecret === undefined ? {} : { linkSecret }),
    ...(file.store === "s3" ? { s3: resolveBucket(file) } : {}),
  };
}

function resolveBucket(file: Extract<ConfigFile["images"], { store: "s3" }>): S3Settings {
  const { bucket, region, accessKeyId, secretAccessKey, sessionToken, prefix, addressing } = file;
  return {
    endpoint: new URL(file.endpoint).origin,
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
    prefix,
    addressing,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
}

function resolveModel(id: string, model: ModelFile, upstreams: ConfigFile["upstreams"]): Model {
  const defaults = model.targets.flatMap(({ upstream }) => {
    const provider = upstreams[upstream]?.provider;
    return provider === undefined ? [] : defaultsOf(String(provider));
  });
  const base = {
    id,
    strategy: model.strategy,
    deadlineMs: model.deadlineMs ?? defaultDeadlineMs(model, upstreams),
    ...(model.retries === undefined ? {} : { retries: model.retries }),
    ...(model.description === undefined ? {} : { description: model.description }),
    ...(model.limits === undefined ? {} : { limits: resolveUsageLimits(model.limits) }),
  };
  if (model.type === "image") {
    // `checkProfileNamed` refuses targets with different default profiles.
    const named = model.profile ?? defaults[0]?.imageProfile ?? "gpt-image";
    const profile = typeof named === "string" ? imageProfiles[named] : customProfile(named);
    const targets = model.targets.map((target) =>
      plainTarget(target, resolvePrice(target, model, upstreams)),
    );
    return { ...base, type: "image", profile, targets: atLeastOne(id, targets) };
  }
  const { matryoshka, maxInputs, dimensions, maxTokens, clientTokenizer } = model;
  // All targets share a vector space and so a vocabulary: that of one provider holds for all of them.
  const tokenizer = model.tokenizer ?? defaults.find((one) => one.tokenizer !== undefined)?.tokenizer;
  const cache = model.cache ?? defaultCache(dimensions, defaults);
  return {
    ...base,
    type: "embedding",
    space: spaceOf(model),
    matryoshka,
    maxInputs,
    targets: atLeastOne(
      id,
      model.targets.map((target) => ({
        ...plainTarget(target, resolvePrice(target, model, upstreams)),
        ...embeddingTarget(target, model),
      })),
    ),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(tokenizer === undefined ? {} : { tokenizer }),
    ...(clientTokenizer === undefined ? {} : { clientTokenizer }),
    ...(model.coalesce === undefined ? {} : { coalesce: model.coalesce }),
    ...(model.hedge === undefined ? {} : { hedge: model.hedge }),
    ...(cache === false ? {} : { cache: { ttlMs: milliseconds(cache.ttl), countTokens: cache.countTokens } }),
  };
}

/**
 * One target: its timeout. Several: enough for a target that stalls for all of its own time, and for another attempt
 * elsewhere.
 */
function defaultDeadlineMs({ type, targets }: ModelFile, upstreams: ConfigFile["upstreams"]): number {
  const operation = type === "image" ? "createImage" : "createEmbedding";
  const timeouts = targets.map(({ upstream: name }) => {
    const upstream = upstreams[name];
    const configured = upstream && describeUpstream(name, upstream, "").timeoutMs;
    return configured ?? billedOperations[operation].timeoutMs;
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
  defaults: readonly ProviderDefaults[],
): false | { readonly ttl: string; readonly countTokens: boolean } {
  const ttl = defaults.every(({ cacheTtl }) => cacheTtl !== undefined) ? defaults[0]?.cacheTtl : undefined;
  return dimensions === undefined || ttl === undefined ? false : { ttl, countTokens: true };
}

function embeddingTarget(
  target: EmbeddingModelFile["targets"][number],
  model: EmbeddingModelFile,
): Omit<EmbeddingTarget, keyof Target> {
  const { maxInputs, dimensionsField, encoding, dimensions, maxTokensPerRequest } = target;
  return {
    dimensions,
    maxTokensPerRequest,
    maxInputs: maxInputs ?? model.maxInputs,
    ...(dimensionsField === undefined ? {} : { dimensionsField }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}

function plainTarget(target: ModelFile["targets"][number], price: Price | undefined): Target {
  const { upstream, model, weight, tier, maxConcurrency, requestsPerMinute, tokensPerMinute } = target;
  return {
    upstream,
    model,
    weight,
    tier,
    capacity: {
      ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
      ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
      ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
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
  const { price } = defaultsOf(String(upstream.provider));
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

/** The id of a key of the file is `config:` and its name. */
export function resolveKey(file: z.output<typeof keySchema>): ConfigKey {
  const { name, key, sha256, owner, models, limits, budget, expiresAt } = file;
  return {
    key: {
      id: `config:${name}`,
      name,
      limits: resolveUsageLimits(limits ?? {}),
      isDisabled: false,
      ...(owner === undefined ? {} : { owner }),
      ...(models === undefined ? {} : { models }),
      ...(budget === undefined ? {} : { budget }),
      ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
    },
    sha256: sha256 === undefined ? digest(key ?? "") : Buffer.from(sha256, "hex"),
  };
}

/** The form in which secrets of the file are kept and compared. */
export function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** The limits without the absent ones. */
export function resolveUsageLimits(limits: z.output<typeof usageLimitsSchema>): UsageLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
