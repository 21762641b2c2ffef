import { randomBytes } from "node:crypto";
import type { ImageFormat } from "@model-gateway/domain/image-profile";
import type { PutOptions, S3Client, S3Object } from "./s3-client.js";
import type { WriteProbe } from "./write-probe.js";

/**
 * The name of an object: when it expires, in seconds since 1970 as 8 hexadecimal digits, then a mark of one digit, then
 * 92 random bits. Nothing else is a name, so no name leads out of the prefix.
 */
const namePattern = /^([0-9a-f]{8})([0-9a-f])[0-9a-f]{23}\.(png|jpeg|webp|gif|svg|json)$/;
const secondsMax = 0xffff_ffff;

/** The limits of an upload that a caller waits for. If it fails, its content is kept elsewhere. */
export const waitedFor = { timeoutMs: 5000, attemptsMax: 2 } as const;

/** Number of objects listed and deleted at once, and of lists in one sweep. */
const pageKeysDefault = 1000;
const deletesAtOnce = 8;
const pagesMax = 10;

interface ObjectName {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly mark: number;
  readonly extension: ImageFormat | "json";
}

interface ExpiringObjectsOptions {
  readonly client: S3Client;
  readonly probe: WriteProbe;
  /** The folder of the objects in the bucket, without a slash at the end. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Number of objects listed at once, at most 1000. */
  readonly pageKeys?: number;
}

/**
 * Objects that expire. Their keys start with the hour of the expiry, and their names with the second, so a list, which is
 * sorted, begins with the next to expire: one request finds all that a sweep has to delete.
 */
export class ExpiringObjects {
  readonly #options: ExpiringObjectsOptions;

  constructor(options: ExpiringObjectsOptions) {
    this.#options = options;
  }

  async put(name: string, content: Buffer, options: PutOptions): Promise<void> {
    const { client, probe } = this.#options;
    try {
      await client.put(this.#keyOf(name), content, options);
      probe.succeeded();
    } catch (failure) {
      probe.failed(failure);
      throw failure;
    }
  }

  /** Undefined if there is no such object. One that has expired may still be there until a sweep. */
  async get(name: string): Promise<S3Object | undefined> {
    return this.#options.client.get(this.#keyOf(name));
  }

  delete(name: string): Promise<void> {
    return this.#options.client.delete(this.#keyOf(name));
  }

  /** Rejects if an object could not be stored now. */
  checkWritable(): Promise<void> {
    return this.#options.probe.check();
  }

  /** Deletes expired objects. Several replicas may do this at once: deleting twice does no harm. */
  async sweep(): Promise<void> {
    const { client, folder, pageKeys = pageKeysDefault } = this.#options;
    for (let page = 0; page < pagesMax; page += 1) {
      const keys = await client.list(`${folder}/`, pageKeys);
      const expired = keys.filter((key) => this.#isExpired(key));
      const deleteNext = async () => {
        for (let key = expired.pop(); key !== undefined; key = expired.pop()) await client.delete(key);
      };
      const isAll = expired.length === pageKeys;
      await Promise.all(Array.from({ length: deletesAtOnce }, deleteNext));
      if (!isAll) return;
    }
  }

  /** Other keys are ignored. */
  #isExpired(key: string): boolean {
    const name = key.slice(key.lastIndexOf("/") + 1);
    const parsed = parseObjectName(name);
    return parsed !== undefined && this.#keyOf(name) === key && parsed.expiresAt <= this.#options.now();
  }

  #keyOf(name: string): string {
    const parsed = parseObjectName(name);
    if (parsed === undefined) throw new Error("This is not the name of an object.");
    return `${this.#options.folder}/${new Date(parsed.expiresAt).toISOString().slice(0, 13)}/${name}`;
  }
}

export function createObjectName({ expiresAt, mark, extension }: ObjectName): string {
  const seconds = Math.min(Math.ceil(expiresAt / 1000), secondsMax);
  const random = randomBytes(12).toString("hex").slice(1);
  return `${seconds.toString(16).padStart(8, "0")}${mark.toString(16)}${random}.${extension}`;
}

/** Undefined if the text is not the name of an object. */
export function parseObjectName(name: string): ObjectName | undefined {
  const [, seconds, mark, extension] = namePattern.exec(name) ?? [];
  if (seconds === undefined || mark === undefined) return undefined;
  return {
    expiresAt: Number.parseInt(seconds, 16) * 1000,
    mark: Number.parseInt(mark, 16),
    // The pattern allows no other.
    extension: extension as ObjectName["extension"],
  };
}
