import type { Logger } from "pino";
import type { AccessKey } from "../domain/access-key.js";
import type { Clock } from "../domain/clock.js";
import { GatewayError } from "../errors.js";
import type { FileService } from "../files/file-service.js";
import { MissingFileError, unlessMissing } from "../files/file-store.js";
import type { RunDetached } from "../http/detached-request.js";
import { Worker } from "../work/worker.js";
import type { Batch, BatchFault, BatchPart } from "./batch.js";
import type { BatchStore } from "./batch-store.js";
import { type AnnounceBatch, finishBatch } from "./finish-batch.js";
import type { ImageLinks } from "./image-links.js";
import type { ShapeOf } from "./parse-line.js";
import { runPart } from "./run-part.js";
import { type BatchLimits, type CheckModel, validateFile } from "./validate-file.js";

export interface BatchRunnerOptions {
  readonly store: BatchStore;
  readonly files: FileService;
  readonly run: RunDetached;
  readonly links: ImageLinks;
  /** The key of a batch, or why it works no longer. */
  readonly findKey: (id: string) => Promise<AccessKey | { readonly refusal: string }>;
  readonly checkModel: (batch: Batch, key: AccessKey) => CheckModel;
  readonly limits: BatchLimits;
  readonly shapeOf: ShapeOf;
  /** Parts that run at once in this process. */
  readonly concurrency: number;
  readonly keepMs: number;
  /** Unique for each process. */
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Logger;
  readonly announce: AnnounceBatch;
  readonly onEnded: () => void;
}

/** Files that are checked or written at once. */
const stepsAtOnce = 2;
/** A part that was begun so often without an end brings the process down. */
const attemptsMax = 8;
const retryMs = 5000;
const expiryEveryMs = 10_000;

/** Runs batches: checks their files, runs their parts, and writes their output. Every replica may work on any step. */
export class BatchRunner {
  readonly #options: BatchRunnerOptions;
  readonly #steps: Worker<Batch>;
  readonly #parts: Worker<BatchPart>;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: BatchRunnerOptions) {
    this.#options = options;
    const { store, concurrency, log } = options;
    const onFailure = (failure: unknown) => {
      // While the database is down, another line has said so.
      const level = failure instanceof GatewayError && failure.status === 503 ? "debug" : "error";
      log[level]({ err: failure }, "A batch could not go on. It is tried again.");
    };
    const shared = { ...options, onFailure };
    this.#steps = new Worker({
      ...shared,
      work: store.steps,
      concurrency: stepsAtOnce,
      run: (batch) => this.#runStep(batch),
    });
    this.#parts = new Worker({
      ...shared,
      work: store.parts,
      concurrency,
      run: (part) => this.#runPart(part),
    });
  }

  start(): void {
    this.#steps.start();
    this.#parts.start();
    this.#expiry = setInterval(() => void this.#expire(), expiryEveryMs).unref();
  }

  /** There is a new batch, or one was stopped. */
  wake(): void {
    this.#steps.wake();
  }

  /** Begins nothing more, and resolves when all that has begun is done. */
  async close(): Promise<void> {
    clearInterval(this.#expiry);
    await Promise.all([this.#steps.close(), this.#parts.close()]);
  }

  async #runStep(batch: Batch): Promise<void> {
    const { store, holder, now } = this.#options;
    try {
      if (batch.outcome === null) await this.#validate(batch);
      else await this.#finish(batch);
    } catch (failure) {
      if (batch.outcome === null && batch.attempts >= attemptsMax) await this.#stop(batch.id, internalFault);
      else await store.delayStep(batch.id, holder, now() + retryMs * batch.attempts);
      throw failure;
    }
  }

  async #validate(batch: Batch): Promise<void> {
    const { store, files, findKey, checkModel, limits, shapeOf, holder, now } = this.#options;
    const key = await findKey(batch.keyId);
    if ("refusal" in key) return this.#stop(batch.id, keyFault(key.refusal));
    const stream = await files.store.read(batch.inputFileId).catch(unlessMissing);
    if (stream === undefined) return this.#stop(batch.id, missingFault);
    const { endpoint } = batch;
    const form = { endpoint, shape: shapeOf(endpoint) };
    const verdict = await validateFile(stream, { ...form, limits, checkModel: checkModel(batch, key) });
    if (verdict.kind === "faulty") return this.#stop(batch.id, ...verdict.faults);
    const { model = null, total, ranges } = verdict;
    await store.begin(batch.id, holder, { model, total, ranges, now: now() });
    this.#parts.wake();
  }

  async #finish(batch: Batch): Promise<void> {
    const ended = await finishBatch(batch, {
      ...this.#options,
      lineBytesMax: this.#options.limits.lineBytesMax,
    });
    if (ended !== undefined) this.#options.onEnded();
  }

  async #runPart(part: BatchPart): Promise<void> {
    const { store, limits, files, now } = this.#options;
    const batch = await store.find(part.batchId);
    if (batch === undefined || batch.outcome !== null) return this.#drop(part);
    if (batch.expiresAt <= now()) {
      await store.stop(batch.id, { outcome: "expired", now: now() });
      return this.#drop(part);
    }
    if (part.attempts > attemptsMax) {
      await this.#stop(batch.id, internalFault);
      return this.#drop(part);
    }
    try {
      const options = { ...this.#options, files: files.store, lineBytesMax: limits.lineBytesMax };
      const { keyRefused } = await runPart(batch, part, options);
      if (keyRefused !== undefined) await this.#stop(batch.id, keyFault(keyRefused));
    } catch (failure) {
      // The lease ends by itself, and then the part runs again.
      if (!(failure instanceof MissingFileError)) throw failure;
      await this.#stop(batch.id, missingFault);
      await this.#drop(part);
    }
    this.wake();
  }

  async #drop(part: BatchPart): Promise<void> {
    await this.#options.store.dropPart(part, this.#options.holder);
    this.wake();
  }

  async #stop(id: string, ...faults: readonly BatchFault[]): Promise<void> {
    const { store, now } = this.#options;
    await store.stop(id, { outcome: "failed", faults, now: now() });
    this.wake();
  }

  async #expire(): Promise<void> {
    const { store, now, log } = this.#options;
    try {
      for (const id of await store.overdue(now())) await store.stop(id, { outcome: "expired", now: now() });
      this.wake();
    } catch (failure) {
      log.debug({ err: failure }, "Batches whose time is over could not be looked up.");
    }
  }
}

const internalFault: BatchFault = {
  code: "internal_error",
  line: null,
  message:
    "The gateway failed repeatedly while it ran this batch. Report the problem with the id of the batch.",
  param: null,
};

const missingFault: BatchFault = {
  code: "file_not_found",
  line: null,
  message: "The input file was deleted or has expired.",
  param: "input_file_id",
};

function keyFault(message: string): BatchFault {
  return { code: "invalid_api_key", line: null, message, param: null };
}
