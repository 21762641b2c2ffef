import type { Catalogue } from "@model-gateway/catalogue/catalogue";
import type { AccessKey } from "@model-gateway/domain/access-key";
import type { Model, Upstream } from "@model-gateway/domain/model";
import type { ModelOperation } from "@model-gateway/domain/operations";
import type { Operator } from "@model-gateway/domain/operator";
import type { Webhook } from "@model-gateway/domain/webhook";
import type { S3Place } from "@model-gateway/object-store/s3-client";
import type { AwsSettings } from "@model-gateway/providers/http/credentials/aws/chain";
import type { FileVersion } from "./files/file-version.js";

/** The checked and resolved configuration, from the file and the environment. */
export interface Config {
  /** The file it was read from. Absent for the built-in default. */
  readonly file?: string;
  /** Identifies the text of the file. Absent for the built-in default. */
  readonly version?: string;
  /** The upstreams and models as the file has them, without secrets. */
  readonly entries: ConfigEntries;
  /** All files it was read from, and the version of each. */
  readonly files: ReadonlyMap<string, FileVersion>;
  /** The file and the environment as YAML, without secrets. */
  readonly text: string;
  /** The upstreams that were found by variables or on this machine. Empty if there is a file. */
  readonly detected: readonly DetectedSource[];
  /** How often secrets that are referred to are read again. */
  readonly secretsEveryMs: number;
  /** Every secret of the file and the environment, so that none is quoted to others. */
  readonly secrets: readonly string[];
  readonly host: string;
  readonly port: number;
  /** The gateway's certificate and key, as PEM text. Without it, the gateway serves http. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` names the client. */
  readonly trustedProxies: readonly string[];
  /** The number of processes that serve requests. */
  readonly workers: number;
  readonly dataDir: string;
  readonly logLevel: string;
  /** Reaction when the event loop is blocked for `limits.stallMs`. */
  readonly onStall: "log" | "exit";
  readonly keys: readonly ConfigKey[];
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly models: ReadonlyMap<string, Model>;
  /** Facts about providers' models, for everything that the file leaves open. */
  readonly catalogue: Catalogue;
  /** Settings for discovered models, by upstream name. */
  readonly discoveries: ReadonlyMap<string, DiscoverySettings>;
  /** The models of requests that name none. */
  readonly defaults: ModelDefaults;
  readonly limits: ResourceLimits;
  readonly cache: CacheSettings;
  readonly images: ImageSettings;
  /** Whether images without content credentials are labelled as generated, and by whom. Absent: they are not. */
  readonly labelUnsigned?: { readonly provider?: string };
  /** The upstream that checks the provenance of images. Without it, the gateway checks content credentials alone. */
  readonly provenanceUpstream?: string;
  /** Limits of callers' files: `files` of the file. */
  readonly storedFiles: FileSettings;
  readonly batches: BatchSettings;
  readonly jobs: JobSettings;
  /** Retention of ledger rows. Without it, forever. */
  readonly retention?: { readonly requestsMs: number };
  /** Watches targets for changed vectors. Without it, they are not checked. */
  readonly drift?: DriftSettings;
  readonly webhooks: readonly Webhook[];
  /** The address at which callers reach the gateway, without a slash at the end. */
  readonly publicUrl?: string;
  /** Whether the web console is served at `/console/`. */
  readonly console: boolean;
  /** Whether the admin API may change the file. */
  readonly allowsChanges: boolean;
  /** Whether responses name the upstream and count the attempts. */
  readonly exposeUpstream: boolean;
  /** The Redis in which replicas share cached vectors, rate limits, budgets and target health. */
  readonly redisUrl?: string;
  /** The PostgreSQL for keys and the ledger. Without it they are in a file in the data folder. */
  readonly databaseUrl?: string;
  /** Connections of each process to PostgreSQL at most. */
  readonly databaseConnectionsMax: number;
  /** The SHA-256 digest of the admin key. Without it, the first start creates an admin key. */
  readonly adminKeySha256?: Buffer;
  /** Operators beside the one with the admin key. */
  readonly operators: readonly ConfigOperator[];
  /** The HMAC secret for the digests of keys. Without it, one is created once and kept in the database. */
  readonly keySecret?: string;
  /** Sentences for the log about keys that work but should be changed. */
  readonly warnings: readonly string[];
}

/** Entries of the file by name, as an operator writes them. */
export type Entries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ConfigEntries {
  readonly upstreams: Entries;
  readonly models: Entries;
}

/** An upstream that is not from a file, and the reason for it. */
export interface DetectedSource {
  /** Environment variables, or the name and address of a server: `OPENAI_API_KEY`. */
  readonly source: string;
  readonly upstream: string;
  /** The ids of its models. Empty: it has none that the gateway can serve. */
  readonly models: readonly string[];
}

/** Interval for reading an upstream's model list, and rules for its models. */
export interface DiscoverySettings {
  readonly everyMs: number;
  readonly rules: readonly DiscoveredModels[];
}

/** The default model of each operation, by its id or an alias. */
type ModelDefaults = { readonly [K in ModelOperation]?: string };

/** A configured key, and the digest of its secret. */
export interface ConfigKey {
  readonly key: AccessKey;
  readonly sha256: Buffer;
}

/** A configured operator, and the digest of its key. */
export interface ConfigOperator extends Operator {
  readonly sha256: Buffer;
}

export interface ResourceLimits {
  readonly jsonBytesMax: number;
  readonly fileBytesMax: number;
  readonly bodiesBytesMax: number;
  readonly uploadsBytesMax: number;
  readonly cacheBytesMax: number;
  readonly idempotencyBytesMax: number;
  readonly ledgerBytesMax: number;
  readonly diskReserveBytes: number;
  readonly stopMs: number;
  readonly stopDelayMs: number;
  readonly stallMs: number;
}

/** Vector cache levels besides memory and Redis. */
interface CacheSettings {
  /** Absent: not on disk. */
  readonly disk?: { readonly bytesMax: number };
  /** Absent: all callers share cached vectors. */
  readonly partitionBy?: "owner" | "key";
}

/** Bounds of image requests that run as jobs. */
interface JobSettings {
  /** Jobs that one process runs at once. */
  readonly concurrency: number;
  /** Jobs of one key, and of all keys, that wait or run. */
  readonly keyJobsMax: number;
  readonly jobsMax: number;
  /** Their input images, in bytes. */
  readonly inputBytesMax: number;
}

/** Storage of images behind links. */
export interface ImageSettings {
  readonly linkTtlMs: number;
  readonly storeBytesMax: number;
  /** The secret that signs links. Without it, one is created and kept in the data folder, or with a bucket in the database. */
  readonly linkSecret?: string;
  /** The bucket for images and large stored responses. Without it they are on disk. */
  readonly s3?: S3Settings;
}

/** Bounds of batches. */
interface BatchSettings {
  readonly linesMax: number;
  readonly inputsMax: number;
  readonly fileBytesMax: number;
  readonly keyBatchesMax: number;
  readonly concurrency: number;
}

/** A bucket of an S3-compatible store, and the credentials for it. */
export interface S3Settings extends S3Place {
  /** Its access key, or where else its credentials are. */
  readonly credentials: Omit<AwsSettings, "region">;
}

/** An upstream's models that a rule includes. */
export interface DiscoveredModels {
  /** Patterns of names. */
  readonly include: readonly string[];
  /** Models with a `*` for the name: one for each kind that the listed models may be of. */
  readonly templates: readonly Model[];
  /** Whether each model is probed for its type. */
  readonly isProbed: boolean;
}

/** Settings for detecting changed vectors. */
export interface DriftSettings {
  readonly everyMs: number;
  /** Whether a target whose vectors have changed is only reported, or gets no calls. */
  readonly action: "report" | "exclude";
  /** The lowest cosine to the recorded vectors that counts as unchanged. */
  readonly cosineMin: number;
}

/** Limits of the files that callers upload. */
export interface FileSettings {
  readonly fileBytesMax: number;
  /** Of one key. */
  readonly keyBytesMax: number;
  readonly keyFilesMax: number;
  /** Of all keys. */
  readonly storeBytesMax: number;
  /** Lifetime of a file whose upload does not state another one. */
  readonly keepMs: number;
}
