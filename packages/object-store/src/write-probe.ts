import type { Logger } from "pino";
import type { S3Client } from "./s3-client.js";

/** A write that succeeded so recently proves that the next one will. */
const freshMs = 15_000;
/** While the bucket fails, it is asked no more often than this. */
const pauseMs = 1000;
const timeoutMs = 3000;
const attemptsMax = 2;

interface WriteProbeOptions {
  readonly client: S3Client;
  /** The object that is written as a probe, always the same one. */
  readonly key: string;
  /** Milliseconds of any clock. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Knows whether the bucket can be written, without asking it each time. */
export class WriteProbe {
  readonly #options: WriteProbeOptions;
  #last: { readonly at: number; readonly failure?: unknown } | undefined;
  #probing: Promise<void> | undefined;

  constructor(options: WriteProbeOptions) {
    this.#options = options;
  }

  /** Rejects if an upload would fail now. Requests that arrive at once share one probe. */
  async check(): Promise<void> {
    if (this.#last !== undefined) {
      // A clock that was set back must not prolong the trust.
      const ageMs = Math.abs(this.#options.now() - this.#last.at);
      if (this.#last.failure === undefined && ageMs < freshMs) return;
      if (this.#last.failure !== undefined && ageMs < pauseMs) throw this.#last.failure;
    }
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  /** Call it when an upload has succeeded. */
  succeeded(): void {
    const { now, log } = this.#options;
    if (this.#last?.failure !== undefined) log.info("The bucket can be written again.");
    this.#last = { at: now() };
  }

  /** Call it when an upload has failed. */
  failed(failure: unknown): void {
    const { now, log } = this.#options;
    // Once, not for each request that meets the same outage.
    if (this.#last?.failure === undefined)
      log.error(
        { err: failure },
        "The bucket cannot be written. Requests for links to images and uploads of files are refused until it can.",
      );
    this.#last = { at: now(), failure };
  }

  async #probe(): Promise<void> {
    const { client, key } = this.#options;
    try {
      await client.put(key, Buffer.from("writable\n"), { type: "text/plain", timeoutMs, attemptsMax });
    } catch (failure) {
      this.failed(failure);
      throw failure;
    }
    this.succeeded();
  }
}
