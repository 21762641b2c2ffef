import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import { milliseconds } from "@model-gateway/domain/settings";
import type { Webhook } from "@model-gateway/domain/webhook";
import { describeUpstream } from "@model-gateway/providers/registry";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { z } from "zod";
import type { Config, ConfigKey, DriftSettings, FileSettings, ImageSettings, S3Settings } from "./config.js";
import { resolveDiscoveries, resolveModel } from "./models/resolve-model.js";
import type { ConfigFile } from "./schema/schema.js";
import { decodeWebhookSecret, type keySchema } from "./schema/schema-parts.js";

interface ConfigOrigin {
  /** Relative paths in the file start here. */
  readonly directory: string;
  readonly isFromEnvironment: (path: readonly PropertyKey[]) => boolean;
  readonly isPlainText: (path: readonly PropertyKey[]) => boolean;
  readonly catalogue: Catalogue;
}

/** Turns the checked file into a configuration: secrets become digests, names objects, and relative paths absolute. */
export function resolveConfig(
  file: ConfigFile,
  origin: ConfigOrigin,
): Omit<Config, "files" | "text" | "entries" | "detected" | "secrets"> {
  const { catalogue } = origin;
  const parts = { upstreams: file.upstreams, images: file.images, catalogue };
  return {
    host: file.host,
    port: file.port,
    trustedProxies: file.trustedProxies,
    secretsEveryMs: milliseconds(file.secrets.every),
    workers: file.workers,
    dataDir: resolve(origin.directory, file.dataDir),
    logLevel: file.logLevel,
    onStall: file.onStall,
    keys: file.keys.map(resolveKey),
    operators: file.operators.map(({ name, role, key }) => ({ name, role, sha256: digest(key) })),
    upstreams: new Map(
      Object.entries(file.upstreams).map(([name, upstream]) => [
        name,
        describeUpstream(name, upstream, origin.directory),
      ]),
    ),
    models: new Map(Object.entries(file.models).map(([id, model]) => [id, resolveModel(id, model, parts)])),
    catalogue,
    discoveries: resolveDiscoveries(parts),
    defaults: withoutUndefined(file.defaults),
    limits: file.limits,
    console: file.console !== false,
    // Without the console, an operator has chosen the file as the only way.
    allowsChanges: typeof file.console === "object" ? file.console.configure : file.console,
    exposeUpstream: file.exposeUpstream,
    cache: withoutUndefined(file.cache),
    images: resolveImages(file.images),
    storedFiles: resolveFiles(file.files),
    batches: file.batches,
    jobs: file.jobs,
    databaseConnectionsMax: file.databaseConnectionsMax,
    webhooks: file.webhooks.map(resolveWebhook),
    ...withoutUndefined({
      tls: file.tls,
      retention:
        file.retention?.requests === undefined
          ? undefined
          : { requestsMs: milliseconds(file.retention.requests) },
      drift: file.drift && resolveDrift(file.drift),
      labelUnsigned: resolveLabel(file.images.labelUnsigned),
      provenanceUpstream: file.images.provenanceUpstream,
      publicUrl: file.publicUrl?.replace(/\/+$/, ""),
      redisUrl: file.redisUrl,
      databaseUrl: file.databaseUrl,
      adminKeySha256: file.adminKey === undefined ? undefined : digest(file.adminKey),
      keySecret: file.keySecret,
    }),
    warnings: [
      ...file.keys.flatMap(({ name, key }, index) =>
        key === undefined || origin.isFromEnvironment(["keys", index, "key"])
          ? []
          : [`The key "${name}" is in the configuration file as plain text. Use \${NAME} or sha256 instead.`],
      ),
      ...[
        ["adminKey"],
        ["keySecret"],
        ["images", "secretAccessKey"],
        ["images", "sessionToken"],
        ...file.operators.map((_, index) => ["operators", index, "key"]),
      ]
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

function resolveDrift({ every, ...drift }: NonNullable<ConfigFile["drift"]>): DriftSettings {
  return { ...drift, everyMs: milliseconds(every) };
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
    ...withoutUndefined({ linkSecret, s3: file.store === "s3" ? resolveBucket(file) : undefined }),
  };
}

function resolveLabel(
  labelUnsigned: ConfigFile["images"]["labelUnsigned"],
): { provider?: string } | undefined {
  if (labelUnsigned === false) return undefined;
  return labelUnsigned === true ? {} : labelUnsigned;
}

function resolveFiles({ keep, ...limits }: ConfigFile["files"]): FileSettings {
  return { ...limits, keepMs: milliseconds(keep) };
}

function resolveBucket(file: Extract<ConfigFile["images"], { store: "s3" }>): S3Settings {
  const { bucket, region, accessKeyId, secretAccessKey, sessionToken, profile, role, prefix, addressing } =
    file;
  const endpoint = new URL(file.endpoint).origin;
  const credentials = withoutUndefined({ accessKeyId, secretAccessKey, sessionToken, profile, role });
  return { endpoint, bucket, region, credentials, prefix, addressing };
}

/** A configured key's id is `config:` and its name. */
function resolveKey(file: z.output<typeof keySchema>): ConfigKey {
  const { name, key, sha256, owner, models, priority, limits, budget, expiresAt } = file;
  return {
    key: {
      id: `config:${name}`,
      name,
      limits: withoutUndefined(limits ?? {}),
      isDisabled: false,
      ...withoutUndefined({ owner, models, priority, budget }),
      ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
    },
    sha256: sha256 === undefined ? digest(key ?? "") : Buffer.from(sha256, "hex"),
  };
}

/** The form in which secrets of the file are kept and compared. */
export function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
