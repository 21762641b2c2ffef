import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { z } from "zod";
import type { UsageLimits } from "../domain/access-key.js";
import {
  defaultSpace,
  type EmbeddingTarget,
  type Model,
  type Price,
  type Target,
  type Upstream,
} from "../domain/model.js";
import { customProfile, imageProfiles } from "../images/options/profiles.js";
import type { Config, ConfigKey, ImageSettings } from "./config.js";
import { resolvePrice } from "./resolve-price.js";
import type { ConfigFile } from "./schema.js";
import type { keySchema, usageLimitsSchema } from "./schema-parts.js";

interface Origin {
  /** Relative paths in the file start here. */
  readonly directory: string;
  readonly isFromEnvironment: (path: readonly PropertyKey[]) => boolean;
  readonly isPlainText: (path: readonly PropertyKey[]) => boolean;
}

/** Turns the checked file into what the gateway runs on: keys to digests, names to things, paths to whole paths. */
export function resolveConfig(file: ConfigFile, origin: Origin): Config {
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
        resolveUpstream(name, upstream, origin),
      ]),
    ),
    models: new Map(
      Object.entries(file.models).map(([id, model]) => [id, resolveModel(id, model, file.upstreams)]),
    ),
    limits: file.limits,
    exposeUpstream: file.exposeUpstream,
    images: resolveImages(file.images),
    ...(file.publicUrl === undefined ? {} : { publicUrl: file.publicUrl.replace(/\/+$/, "") }),
    ...(file.redisUrl === undefined ? {} : { redisUrl: file.redisUrl }),
    ...(file.databaseUrl === undefined ? {} : { databaseUrl: file.databaseUrl }),
    ...(file.adminKey === undefined ? {} : { adminKeySha256: digest(file.adminKey) }),
    ...(file.keySecret === undefined ? {} : { keySecret: file.keySecret }),
    warnings: [
      ...file.keys.flatMap(({ name, key }, index) =>
        key === undefined || origin.isFromEnvironment(["keys", index, "key"])
          ? []
          : [`The key "${name}" stands in the configuration file as plain text; use \${NAME} or sha256.`],
      ),
      ...["adminKey", "keySecret"]
        .filter((name) => origin.isPlainText([name]))
        .map((name) => `${name} stands in the configuration file as plain text; use \${NAME}.`),
    ],
  };
}

function resolveImages({ linkTtl, storeBytesMax, linkSecret }: ConfigFile["images"]): ImageSettings {
  return {
    linkTtlMs: milliseconds(linkTtl),
    storeBytesMax,
    ...(linkSecret === undefined ? {} : { linkSecret }),
  };
}

function resolveUpstream(name: string, upstream: ConfigFile["upstreams"][string], origin: Origin): Upstream {
  if (upstream.provider === "local") {
    const folders = Object.entries(upstream.modelFolders).map(([model, path]) => [
      model,
      resolve(origin.directory, path),
    ]);
    return { name, provider: "local", modelFolders: Object.fromEntries(folders) };
  }
  const { provider, baseUrl, apiKey, timeoutMs, allowPrivateUrls } = upstream;
  return {
    name,
    provider,
    baseUrl,
    allowPrivateUrls,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function resolveModel(
  id: string,
  model: ConfigFile["models"][string],
  upstreams: ConfigFile["upstreams"],
): Model {
  const provider = upstreams[model.targets[0]?.upstream ?? ""]?.provider;
  const isLocal = provider === "local";
  const base = {
    id,
    strategy: model.strategy,
    ...(model.retries === undefined ? {} : { retries: model.retries }),
    ...(model.description === undefined ? {} : { description: model.description }),
    ...(model.limits === undefined ? {} : { limits: resolveUsageLimits(model.limits) }),
  };
  if (model.type === "image") {
    const wanted = model.profile ?? (isLocal ? "sketch" : "gpt-image");
    const profile = typeof wanted === "string" ? imageProfiles[wanted] : customProfile(wanted);
    const targets = model.targets.map((target) =>
      plainTarget(target, resolvePrice(target, model, upstreams)),
    );
    return { ...base, type: "image", profile, targets: atLeastOne(id, targets) };
  }
  const { matryoshka, maxInputs, dimensions, maxTokens, clientTokenizer } = model;
  // All of OpenAI's own embedding models share one vocabulary, and its clients send it.
  const tokenizer = model.tokenizer ?? (provider === "openai" ? "cl100k_base" : undefined);
  // A cache needs the width; without it, there is none unless somebody asks for it, and then the file is at fault.
  const cache =
    model.cache ?? (isLocal && dimensions !== undefined ? { ttl: "24h", countTokens: true } : false);
  return {
    ...base,
    type: "embedding",
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

type EmbeddingModelFile = Extract<ConfigFile["models"][string], { type: "embedding" }>;

function embeddingTarget(
  target: EmbeddingModelFile["targets"][number],
  model: EmbeddingModelFile,
): Omit<EmbeddingTarget, keyof Target> {
  const { space, maxInputs, dimensionsField, encoding, dimensions, maxTokensPerRequest } = target;
  return {
    dimensions,
    maxTokensPerRequest,
    maxInputs: maxInputs ?? model.maxInputs,
    space: space ?? defaultSpace(target.model, model.dimensions),
    ...(dimensionsField === undefined ? {} : { dimensionsField }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}

function plainTarget(
  target: ConfigFile["models"][string]["targets"][number],
  price: Price | undefined,
): Target {
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

function atLeastOne<T>(id: string, targets: readonly T[]): readonly [T, ...T[]] {
  const [first, ...others] = targets;
  if (first === undefined) throw new Error(`The model ${id} has no target.`);
  return [first, ...others];
}

function milliseconds(duration: string): number {
  const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return Number(duration.slice(0, -1)) * (units[duration.slice(-1)] ?? 0);
}

/** A key of the file is known by its name. */
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

/** How keys are compared and kept. */
export function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** The limits that were said, and no others. */
export function resolveUsageLimits(limits: z.output<typeof usageLimitsSchema>): UsageLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}
