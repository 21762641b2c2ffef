import type { AccessKey } from "../domain/access-key.js";
import type { Model, Upstream } from "../domain/model.js";

/** What the gateway runs on: the file and the environment, checked and resolved. */
export interface Config {
  /** The file it was read from; absent where it is the built-in default. */
  readonly file?: string;
  readonly host: string;
  readonly port: number;
  /** How many processes serve requests. */
  readonly workers: number;
  readonly dataDir: string;
  readonly logLevel: string;
  readonly keys: readonly ConfigKey[];
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly models: ReadonlyMap<string, Model>;
  readonly limits: Limits;
  readonly images: ImageSettings;
  /** What links to images begin with, without a slash at the end. */
  readonly publicUrl?: string;
  /** Whether answers say which upstream was asked. */
  readonly exposeUpstream: boolean;
  /** Where replicas share what they may. */
  readonly redisUrl?: string;
  /** Where keys and the ledger are kept; a file in the data folder without it. */
  readonly databaseUrl?: string;
  /** The SHA-256 digest of the key that opens the admin API. Without it one is made on the first start. */
  readonly adminKeySha256?: Buffer;
  /** What keys are digested with. Without it one is made once and kept in the database. */
  readonly keySecret?: string;
  /** What works but should be known, for the log. */
  readonly warnings: readonly string[];
}

/** A key of the file: who may call with it, and the digest by which it is known again. */
export interface ConfigKey {
  readonly key: AccessKey;
  readonly sha256: Buffer;
}

export interface Limits {
  readonly jsonBytesMax: number;
  readonly fileBytesMax: number;
  readonly cacheBytesMax: number;
  readonly idempotencyBytesMax: number;
  readonly ledgerBytesMax: number;
  readonly stopMs: number;
}

/** How long images that are answered as links are kept, and how many. */
export interface ImageSettings {
  readonly linkTtlMs: number;
  readonly storeBytesMax: number;
  /** Signs the links. Without it one is made and kept in the data folder. */
  readonly linkSecret?: string;
}
