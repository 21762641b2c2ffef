import type { Logger } from "pino";
import { ExpiringObjects } from "./expiring-objects.js";
import { S3Client, type S3Limits, type S3Place, type SignerSource } from "./s3-client.js";
import { WriteProbe } from "./write-probe.js";

/** The gateway's objects in its bucket. */
export interface Bucket {
  /** Images behind links. */
  readonly images: ExpiringObjects;
  /** Responses that are stored for their Idempotency-Key. */
  readonly responses: ExpiringObjects;
  /** Files of callers, and what batches and jobs store. */
  readonly files: BucketFolder;
  close(): Promise<void>;
}

/** A part of the bucket that its user names and deletes objects in. */
export interface BucketFolder {
  readonly client: S3Client;
  readonly probe: WriteProbe;
  /** The start of all keys, with a slash at the end. */
  readonly prefix: string;
}

interface BucketOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
  readonly signer: SignerSource;
  readonly limits?: Partial<S3Limits>;
}

/** Connects to nothing yet: a bucket that cannot be reached must not keep the gateway from starting. */
export function openBucket(settings: S3Place, options: BucketOptions): Bucket {
  const { now, log } = options;
  const client = new S3Client(settings, { ...options.limits, signer: options.signer });
  const root = settings.prefix === "" ? "" : `${settings.prefix}/`;
  const probe = new WriteProbe({ client, key: `${root}probe`, now, log });
  return {
    images: new ExpiringObjects({ client, probe, folder: `${root}images`, now }),
    responses: new ExpiringObjects({ client, probe, folder: `${root}responses`, now }),
    files: { client, probe, prefix: `${root}files/` },
    close: () => client.close(),
  };
}
