import type { AccessKey } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Clock } from "@model-gateway/runtime/clock";
import { every, type Repetition } from "@model-gateway/runtime/every";
import type { Logger } from "pino";
import type { RunDetached } from "../execution/detached-request.js";
import type { ExceededQuota } from "../files/file-index.js";
import type { FileService } from "../files/file-service.js";
import { MissingFileError, unlessMissing } from "../files/file-store.js";
import { Worker } from "../work/worker.js";
import type { Batch, BatchFault, BatchPart } from "./batch.js";
import type { BatchStore } from "./batch-store.js";
import type { WidthOf } from "./estimate-results.js";
import { type AnnounceBatch, endWithoutOutput, finishBatch } from "./finish-batch.js";
import type { ImageLinks } from "./image-links.js";
import type { KnownRefusals } from "./known-refusals.js";
import type { ShapeOf } from "./parse-line.js";
import { refuseForQuota } from "./quota-refusal.js";
import { NoRoomError, runPart } from "./run-part.js";
import { type BatchLimits, type CheckModel, type FileVerdict, validateFile } from "./validate-file.js";

export interface BatchRunnerOptions {
  readonly store: BatchStore;
  readonly files: FileService;
  readonly run: RunDetached;
  readonly links: ImageLinks;
  /** The key of a batch, or why it works no longer. */
  readonly findKey: (id: string) => Promise<AccessKey | { readonly refusal: string }>;
  readonly checkModel: (batch: Batch, key: AccessKey) => CheckModel;
  readonly limits: BatchLimits;
  readonly refusals: KnownRefusals;
  readonly shapeOf: ShapeOf;
  readonly widthOf: WidthOf;
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
/** A step that has failed so often will not succeed. */
const stepAttemptsMax = 8;
/** A part or a step that was begun so often without an end brings the process down. It may also die for other reasons. */
const attemptsMax = 32;
const retryMs = 5000;
const expiryEveryMs = 10_000;
/** How much of a file is checked between two looks at whether its batch was cancelled. */
const lookEveryBytes = 4 * 1024 * 1024;
/** Estimates are not exact. Results that are larger by this may go on. */
const overrunFactor = 1.1;

/** Runs batches: checks their files, runs their parts, and writes their output. Every replica may work on any step. */
export class BatchRunner {
  readonly #options: BatchRunnerOptions;
  readonly #steps: Worker<Batch>;
  readonly #parts: Worker<BatchPart>;
  readonly #closing = new AbortController();
  #expiry: Repetition | undefined;

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
      attemptsMax,
      giveUp: (batch) => this.#giveUpStep(batch),
    });
    this.#parts = new Worker({
      ...shared,
      work: store.parts,
      concurrency,
      run: (part) => this.#runPart(part),
      attemptsMax,
      giveUp: (part) => this.#giveUpPart(part),
    });
  }

  start(): void {
    this.#steps.start();
    this.#parts.start();
    this.#expiry = every(expiryEveryMs, () => this.#expire(), {
      task: "expire_batches",
      onFailure: (failure) =>
        this.#options.log.debug({ err: failure }, "Batches whose time is over could not be looked up."),
    });
  }

  /** There is a new batch, or one was stopped. */
  wake(): void {
    this.#steps.wake();
  }

  /** Begins nothing more, and resolves when all that has begun is done. */
  async close(): Promise<void> {
    void this.#expiry?.stop();
    this.#closing.abort();
    await Promise.all([this.#steps.close(), this.#parts.close()]);
  }

  async #runStep(batch: Batch): Promise<void> {
    const { store, holder, now } = this.#options;
    try {
      if (batch.outcome === null) await this.#validate(batch);
      else await this.#finish(batch);
    } catch (failure) {
      // Its end is written in another step.
      if (failure instanceof StoppedError) return;
      if (batch.outcome === null && batch.attempts >= stepAttemptsMax)
        await this.#stop(batch.id, internalFault);
      else if (batch.outcome === null)
        await store.steps.delay(batch.id, holder, now() + retryMs * batch.attempts);
      // Its results are paid for: they wait for the store of files, for however long that is down.
      else await store.steps.putBack(batch.id, holder, now() + retryMs);
      throw failure;
    }
  }

  async #giveUpStep(batch: Batch): Promise<void> {
    if (batch.outcome === null) return this.#stop(batch.id, internalFault);
    await endWithoutOutput(batch, [internalFault], this.#options);
    this.#options.onEnded();
  }

  async #giveUpPart(part: BatchPart): Promise<void> {
    await this.#stop(part.batchId, internalFault);
    await this.#drop(part);
  }

  async #validate(batch: Batch): Promise<void> {
    const { store, files, findKey, refusals, holder, now } = this.#options;
    const key = await findKey(batch.keyId);
    if ("refusal" in key) return this.#stop(batch.id, keyFault(key.refusal));
    const known = await refusals.find(batch.inputFileId, batch.endpoint);
    if (known !== undefined) return this.#stop(batch.id, ...known);
    const stream = await files.store.read(batch.inputFileId).catch(unlessMissing);
    if (stream === undefined) return this.#stop(batch.id, missingFault);
    const verdict = await this.#check(batch, key, stream);
    if (verdict.kind === "faulty") {
      const { faults, areOfFile } = verdict;
      if (areOfFile) await refusals.note(batch.inputFileId, batch.endpoint, faults);
      return this.#stop(batch.id, ...faults);
    }
    const { model = null, total, ranges, resultBytes } = verdict;
    const { quotas } = files;
    const found = { model, total, ranges, resultBytes, quotas, now: now() };
    const exceeded = await store.begin(batch.id, holder, found);
    if (exceeded !== undefined) return this.#stop(batch.id, this.#quotaFault(exceeded, resultBytes));
    this.#parts.wake();
  }

  #check(batch: Batch, key: AccessKey, stream: AsyncIterable<Buffer>): Promise<FileVerdict> {
    const { checkModel, limits, shapeOf, widthOf } = this.#options;
    const { endpoint } = batch;
    const form = { endpoint, shape: shapeOf(endpoint), widthOf };
    return validateFile(this.#untilStopped(batch, stream), {
      ...form,
      limits,
      checkModel: checkModel(batch, key),
    });
  }

  /** The file of a batch that was cancelled meanwhile is not read to its end. */
  async *#untilStopped({ id }: Batch, stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of stream) {
      yield chunk;
      bytes += chunk.length;
      if (bytes < lookEveryBytes) continue;
      bytes = 0;
      const batch = await this.#options.store.find(id);
      if (batch === undefined || batch.outcome !== null) throw new StoppedError();
    }
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
    const exceeded = await this.#exceededBy(batch);
    if (exceeded !== undefined) {
      await this.#stop(batch.id, this.#quotaFault(exceeded, batch.reservedBytes));
      return this.#drop(part);
    }
    try {
      const options = { ...this.#options, files: files.store, lineBytesMax: limits.lineBytesMax };
      const { keyRefused } = await runPart(batch, part, { ...options, signal: this.#closing.signal });
      if (keyRefused !== undefined) await this.#stop(batch.id, keyFault(keyRefused));
    } catch (failure) {
      await this.#handleFailure(batch, part, failure);
    }
    this.wake();
  }

  async #handleFailure(batch: Batch, part: BatchPart, failure: unknown): Promise<void> {
    const { store, holder, now } = this.#options;
    if (failure instanceof MissingFileError) {
      await this.#stop(batch.id, missingFault);
      return this.#drop(part);
    }
    // Nothing has run: the part waits for room, for as long as its batch.
    if (failure instanceof NoRoomError) return store.parts.putBack(part.id, holder, now() + retryMs);
    // The lease ends by itself, and then the part runs again.
    throw failure;
  }

  /** The quota that results have exceeded which are larger than expected. Lines that ran keep their results, and no more run. */
  async #exceededBy({ keyId, reservedBytes, plannedBytes }: Batch): Promise<ExceededQuota | undefined> {
    const { store, files } = this.#options;
    if (reservedBytes <= plannedBytes * overrunFactor) return undefined;
    return store.exceeded(keyId, files.quotas);
  }

  #quotaFault(quota: ExceededQuota, bytes: number): BatchFault {
    return { ...refuseForQuota(quota, bytes, this.#options.files.quotas), line: null, param: null };
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
    const { store, now } = this.#options;
    for (const id of await store.overdue(now())) await store.stop(id, { outcome: "expired", now: now() });
    this.wake();
  }
}

/** The batch was stopped while its file was checked. */
class StoppedError extends Error {}

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
