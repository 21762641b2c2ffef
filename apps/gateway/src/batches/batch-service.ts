import type { AccessKey } from "@model-gateway/domain/access-key";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { RequestBody } from "@model-gateway/domain/operations";
import { maySee, type Viewer, viewerOf } from "@model-gateway/domain/record-owner";
import { newId } from "@model-gateway/runtime/new-id";
import type { FileRecord } from "../files/file-index.js";
import type { FileService } from "../files/file-service.js";
import { type Batch, type BatchEndpoint, hasEnded } from "./batch.js";
import type { BatchFilter, BatchPage, BatchStore, ExceededBound } from "./batch-store.js";
import { estimateFile, type WidthOf } from "./estimate-results.js";
import type { KnownRefusals } from "./known-refusals.js";
import { refuseForQuota } from "./quota-refusal.js";
import type { BatchLimits } from "./validate-file.js";

export interface BatchServiceOptions {
  readonly store: BatchStore;
  readonly files: Pick<FileService, "retrieve" | "store" | "quotas">;
  readonly refusals: KnownRefusals;
  readonly widthOf: WidthOf;
  /** Throws if the key's budget is used up. */
  readonly checkBudget: (key: AccessKey) => Promise<void>;
  /** Called when there is a new batch, or one was stopped. */
  readonly onChange: () => void;
  readonly limits: Pick<BatchLimits, "fileBytesMax" | "linesMax">;
  /** Batches of one key that have not ended. */
  readonly activeMax: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const completionMs = 24 * 3_600_000;
/** When a caller with too many batches may look again. */
const retryAfterMs = 60_000;

/** Batches of callers. Each belongs to a key and its owner; to any other key it does not exist. */
export class BatchService {
  readonly #options: BatchServiceOptions;

  constructor(options: BatchServiceOptions) {
    this.#options = options;
  }

  async create(
    request: RequestBody<"createBatch">,
    { key, origin }: { readonly key: AccessKey; readonly origin: string },
  ): Promise<Batch> {
    const { store, files, checkBudget, activeMax, now, onChange } = this.#options;
    const { input_file_id: inputFileId, endpoint, metadata, output_expires_after: expiry } = request;
    const file = await this.#checkFile(inputFileId, key);
    await this.#checkRefusal(file, endpoint);
    await checkBudget(key);
    const reservedBytes = await this.#estimate(file, endpoint);
    const createdAt = now();
    const wanted = {
      id: newId("batch_"),
      ...viewerOf(key),
      keyName: key.name,
      endpoint,
      inputFileId,
      site: file.site,
      origin,
      metadata: metadata ?? null,
      outputTtlMs: expiry === undefined ? null : expiry.seconds * 1000,
      createdAt,
      expiresAt: createdAt + completionMs,
      reservedBytes,
    };
    const created = await store.create(wanted, { quotas: files.quotas, activeMax });
    if (typeof created === "string") throw this.#refusal(created, reservedBytes);
    onChange();
    return created;
  }

  /** Throws `batch_not_found` for a batch that the viewer may not see as for one that does not exist. */
  async retrieve(id: string, viewer: Viewer): Promise<Batch> {
    const batch = await this.#options.store.find(id);
    if (batch === undefined || !maySee(viewer, batch))
      throw errorOf("batch_not_found", { batch: id }, { param: "batch" });
    return batch;
  }

  async list(
    filter: BatchFilter,
    page: BatchPage,
  ): Promise<{ readonly batches: readonly Batch[]; readonly hasMore: boolean }> {
    const found = await this.#options.store.list(filter, page);
    if (found === undefined)
      throw errorOf("invalid_value", { param: "after", reason: "there is no such batch" });
    return found;
  }

  /** A batch that is being cancelled already is returned as it is. */
  async cancel(id: string, viewer: Viewer): Promise<Batch> {
    const { store, now, onChange } = this.#options;
    const before = await this.retrieve(id, viewer);
    if (before.status === "cancelling") return before;
    if (hasEnded(before) || !(await store.stop(id, { outcome: "cancelled", now: now() }))) {
      const { status } = await this.retrieve(id, viewer);
      throw errorOf("batch_ended", { batch: id, status }, { param: "batch" });
    }
    onChange();
    return this.retrieve(id, viewer);
  }

  /** The bytes that the results may take. The check of the file makes it exact. */
  #estimate(file: FileRecord, endpoint: BatchEndpoint): Promise<number> {
    const { files, limits, widthOf } = this.#options;
    const { linesMax } = limits;
    return estimateFile(file, { files: files.store, form: { endpoint, widthOf }, linesMax });
  }

  #refusal(bound: ExceededBound, bytes: number): GatewayError {
    const { files, activeMax } = this.#options;
    if (bound === "activeMax")
      return new GatewayError(
        "rate_limit_exceeded",
        `This key has ${activeMax} batches that have not ended, which is the limit. Wait for one to end, or cancel one.`,
        { retryAfterMs },
      );
    const { code, message } = refuseForQuota(bound, bytes, files.quotas);
    return new GatewayError(code, message, {
      param: "input_file_id",
      ...(code === "storage_full" && { retryAfterMs }),
    });
  }

  /** A file that has faults is not read again. */
  async #checkRefusal({ id }: FileRecord, endpoint: BatchEndpoint): Promise<void> {
    const faults = await this.#options.refusals.find(id, endpoint);
    if (faults?.[0] === undefined) return;
    const { line, code } = faults[0];
    const where = line === null ? "" : ` in line ${line}`;
    throw errorOf("invalid_value", {
      param: "input_file_id",
      reason: `an earlier batch has refused this file: it has the fault '${code}'${where}. Correct it, and upload it again`,
    });
  }

  async #checkFile(id: string, key: AccessKey): Promise<FileRecord> {
    const { files, limits } = this.#options;
    const param = "input_file_id";
    const file = await files.retrieve(id, viewerOf(key)).catch((failure: unknown) => {
      const isUnknown = failure instanceof GatewayError && failure.code === "file_not_found";
      throw isUnknown ? failure.with({ param }) : failure;
    });
    if (file.purpose !== "batch")
      throw errorOf("invalid_value", { param, reason: "the file was not uploaded with the purpose 'batch'" });
    if (file.bytes > limits.fileBytesMax)
      throw errorOf("invalid_value", {
        param,
        reason: `the file is larger than ${limits.fileBytesMax} bytes`,
      });
    return file;
  }
}
