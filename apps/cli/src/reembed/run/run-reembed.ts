import { existsSync, rmSync } from "node:fs";
import type { RemoteBatch } from "../../batch/batch.js";
import type { BatchApi } from "../../batch/batch-api.js";
import { followBatch } from "../../batch/follow-batch.js";
import type { StateFile } from "../../batch/state-file.js";
import type { Progress } from "../../print/progress.js";
import { harmless } from "../../print/terminal.js";
import { CommandError } from "../../remote/command-error.js";
import type { RemoteCaller } from "../../remote/remote-gateway.js";
import { type Pacing, withRetries } from "../../remote/retry.js";
import { AppendFile } from "../jsonl/append-file.js";
import { type JsonlLine, parseLine } from "../jsonl/read-lines.js";
import { batchEndpoint, idOf, probeSpace, type ReembedRequest } from "../request.js";
import type { EmbeddedRow, Store, VectorSink } from "../rows.js";
import { copyLines, type FileLimits, limitsFor, RowReader, writeBatchFile } from "./batch-file.js";
import { type LineFailure, readResults } from "./batch-results.js";
import { addCounts, type PendingFile, type ReembedState } from "./reembed-state.js";

interface RunTools {
  readonly api: BatchApi;
  readonly caller: RemoteCaller;
  readonly store: Store;
  readonly request: ReembedRequest;
  readonly file: StateFile<ReembedState>;
  /** Rows that failed, one a line. */
  readonly failuresPath: string;
  readonly progress: Progress;
  readonly pacing: Pacing;
  readonly signal: AbortSignal;
  /** The bounds of one file. Default: by the width of the vectors. */
  readonly limits?: FileLimits;
}

/** While one batch runs, the next file is made and uploaded. */
const filesMax = 2;
const attemptsMax = 3;
const writtenAtOnce = 100;
/** A command that was stopped on Friday can go on on Monday. */
const keepSeconds = 7 * 24 * 3600;

/** The end of a run. */
export interface ReembedResult {
  readonly state: ReembedState;
  /** Sentences about columns and collections that were created. */
  readonly notes: readonly string[];
}

/** Sends all rows in files, and stores the results. The state is written after each step, so that it can go on. */
export async function runReembed(begun: ReembedState, tools: RunTools): Promise<ReembedResult> {
  const run = new ReembedRun(begun, tools);
  try {
    return await run.finish();
  } catch (failure) {
    const canContinue = failure instanceof CommandError && (failure.isTransient || tools.signal.aborted);
    throw canContinue ? new CommandError(`${failure.message} ${continues}`) : failure;
  } finally {
    await run.close();
  }
}

const continues = "The same command continues from here.";

class ReembedRun {
  #state: ReembedState;
  readonly #tools: RunTools;
  readonly #sink: VectorSink;
  readonly #failures: AppendFile;
  #limits: FileLimits;
  #rows: RowReader | undefined;

  constructor(begun: ReembedState, tools: RunTools) {
    this.#state = begun;
    this.#tools = tools;
    this.#sink = tools.store.sink(begun.sink);
    this.#failures = new AppendFile(tools.failuresPath, begun.failures);
    this.#limits = tools.limits ?? limitsFor(begun.space.dimensions);
  }

  async finish(): Promise<ReembedResult> {
    const notes = await this.#sink.prepare(this.#state.space);
    // Drops what was written after the last checkpoint.
    if (existsSync(this.#failures.path)) await this.#failures.open();
    // Before the first checkpoint the position is that of an empty file, and not of a missing one.
    this.#save({ sink: await this.#sink.checkpoint() });
    for (;;) {
      while (!this.#state.isRead && this.#state.pending.length < filesMax) await this.#send();
      const [first, ...others] = this.#state.pending;
      if (first === undefined) return { state: this.#state, notes };
      await this.#collect(await this.#created(first), others);
    }
  }

  async close(): Promise<void> {
    await this.#rows?.close();
    await this.#failures.close();
    await this.#sink.close();
    for (const name of ["input", "output", "errors"]) rmSync(this.#path(name), { force: true });
  }

  #save(change: Partial<ReembedState>): void {
    this.#state = { ...this.#state, ...change };
    this.#tools.file.write(this.#state);
  }

  #path(name: string): string {
    return `${this.#tools.file.path}.${name}.jsonl`;
  }

  /** Makes the next file from the source, uploads it and creates its batch. */
  async #send(): Promise<void> {
    const { store, request, progress } = this.#tools;
    const { counts, pending, place: from } = this.#state;
    this.#rows ??= new RowReader(store.rows(from));
    progress.show({ name: `Reading ${store.name}`, detail: `${counts.rows} rows so far` });
    const path = this.#path("input");
    const made = await writeBatchFile(path, this.#rows, { request, limits: this.#limits });
    const next = {
      isRead: made.isLast,
      counts: addCounts(counts, { rows: made.lines, skipped: made.skipped }),
      ...(made.place !== undefined && { place: made.place }),
    };
    if (made.lines === 0) return this.#save(next);
    const uploaded = await this.#upload({ path, lines: made.lines, attempt: 0 });
    this.#save({ ...next, pending: [...pending, uploaded] });
    await this.#created(uploaded);
  }

  async #upload({
    path,
    lines,
    attempt,
  }: Pick<PendingFile, "lines" | "attempt"> & { readonly path: string }): Promise<PendingFile> {
    const { api, progress } = this.#tools;
    progress.show({ name: `Uploading ${lines} rows` });
    const file_id = await api.upload(path, { keepSeconds });
    rmSync(path, { force: true });
    return { file_id, lines, attempt };
  }

  /** The file with its batch. */
  async #created(file: PendingFile): Promise<PendingFile & { readonly batch_id: string }> {
    const { batch_id } = file;
    if (batch_id !== undefined) return { ...file, batch_id };
    const { id } = await this.#tools.api.create({
      fileId: file.file_id,
      endpoint: batchEndpoint,
      keepSeconds,
    });
    const created = { ...file, batch_id: id };
    const pending = this.#state.pending.map((one) => (one.file_id === file.file_id ? created : one));
    this.#save({ pending });
    return created;
  }

  /** Waits for a batch and stores its vectors. Lines that have not run, and those that may succeed later, go on. */
  async #collect(
    file: PendingFile & { readonly batch_id: string },
    others: readonly PendingFile[],
  ): Promise<void> {
    const { api, caller, request, progress, pacing, signal } = this.#tools;
    const { counts, space } = this.#state;
    const title = `${counts.written} of ${counts.rows} rows written. ${file.batch_id}`;
    const batch = await followBatch(api, file.batch_id, { progress, pacing, signal, title });
    // A model that has changed in the meantime would mix two spaces in one index.
    await withRetries(() => probeSpace(caller, request, space), { pacing, signal });
    const isLastAttempt = file.attempt + 1 >= attemptsMax;
    if (isTooLarge(batch) && file.lines > 1) return this.#halve(file, others);
    const stored = await this.#store(batch, { isLastAttempt });
    if (stored.finished.size === 0 && (batch.status !== "completed" || isLastAttempt)) {
      const { batch_id: _given_up, ...again } = file;
      this.#save({ pending: [again, ...others] });
      throw givenUp(batch);
    }
    const left = await this.#leftOver(file, stored.finished);
    const failures = await this.#failures.sync();
    this.#save({
      pending: left === undefined ? others : [left, ...others],
      sink: await this.#sink.checkpoint(),
      failures,
      counts: addCounts(this.#state.counts, { ...stored.counts, tokens: batch.total_tokens ?? 0 }),
    });
    await api.remove([file.file_id, batch.output_file_id, batch.error_file_id]);
    if (batch.status === "failed" || batch.status === "cancelled") throw givenUp(batch);
  }

  async #store(
    { output_file_id, error_file_id }: RemoteBatch,
    { isLastAttempt }: { readonly isLastAttempt: boolean },
  ): Promise<StoredResults> {
    const { api, progress } = this.#tools;
    progress.show({ name: "Storing the vectors" });
    const finished = new Set<string>();
    const counts = { written: 0, gone: 0, failed: 0 };
    if (output_file_id !== null) {
      await api.download(output_file_id, this.#path("output"));
      for await (const rows of this.#vectors(this.#path("output"), finished)) {
        const written = await this.#sink.write(rows, this.#state.space);
        counts.written += written;
        counts.gone += rows.length - written;
      }
    }
    if (error_file_id !== null) {
      await api.download(error_file_id, this.#path("errors"));
      for await (const { customId, failure } of readResults(this.#path("errors"))) {
        if (failure === undefined || (failure.isTransient && !isLastAttempt)) continue;
        finished.add(customId);
        counts.failed += 1;
        await this.#failures.append([failureLine(customId, failure)]);
      }
    }
    return { finished, counts };
  }

  /** The vectors of a file, some at a time. */
  async *#vectors(
    path: string,
    finished: Set<string>,
  ): AsyncGenerator<readonly EmbeddedRow[], void, undefined> {
    const { dimensions } = this.#state.space;
    let rows: EmbeddedRow[] = [];
    for await (const { customId, embedding } of readResults(path)) {
      if (embedding === undefined || finished.has(customId)) continue;
      if (embedding.length !== dimensions)
        throw new CommandError(
          `The vector of the row ${customId.slice(0, 100)} has ${embedding.length} numbers, and not ${dimensions}.`,
        );
      finished.add(customId);
      rows.push({ id: idOf(customId), embedding });
      if (rows.length < writtenAtOnce) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
  }

  /** The bounds of the gateway may be lower than OpenAI's. Later files keep to what was learnt. */
  async #halve(file: PendingFile, others: readonly PendingFile[]): Promise<void> {
    const half = Math.ceil(file.lines / 2);
    this.#limits = { ...this.#limits, lines: Math.min(this.#limits.lines, half) };
    const { attempt } = file;
    const first = await this.#extract(file, { attempt, wants: ({ number }) => number <= half });
    const second = await this.#extract(file, { attempt, wants: ({ number }) => number > half });
    this.#save({ pending: [first, second, ...others].filter((one) => one !== undefined) });
    await this.#tools.api.remove([file.file_id]);
  }

  /** A file with the lines that are not finished. Undefined if all are. */
  async #leftOver(file: PendingFile, finished: ReadonlySet<string>): Promise<PendingFile | undefined> {
    if (finished.size >= file.lines) return undefined;
    const isLeft = (line: JsonlLine) => !finished.has(String(parseLine(line, file.file_id).custom_id));
    return this.#extract(file, { attempt: file.attempt + 1, wants: isLeft });
  }

  /** Uploads some lines of a file again. */
  async #extract(
    { file_id }: PendingFile,
    { attempt, wants }: { readonly attempt: number; readonly wants: (line: JsonlLine) => boolean },
  ): Promise<PendingFile | undefined> {
    const [whole, path] = [this.#path("output"), this.#path("input")];
    await this.#tools.api.download(file_id, whole);
    const lines = await copyLines(whole, path, wants);
    return lines === 0 ? undefined : this.#upload({ path, lines, attempt });
  }
}

interface StoredResults {
  /** The lines that need no further attempt. */
  readonly finished: ReadonlySet<string>;
  readonly counts: { readonly written: number; readonly gone: number; readonly failed: number };
}

function isTooLarge({ status, errors }: RemoteBatch): boolean {
  return status === "failed" && errors.some(({ code }) => tooLarge.has(code));
}

const tooLarge: ReadonlySet<string> = new Set(["too_many_tasks", "too_many_inputs"]);

function failureLine(customId: string, { code, message }: LineFailure): string {
  return JSON.stringify({ id: idOf(customId), error: { code, message } });
}

function givenUp({ id, status, errors }: RemoteBatch): CommandError {
  const reasons = errors
    .slice(0, 3)
    .map(({ line, message }) => (line === null ? message : `Line ${line}: ${message}`));
  const why = reasons.length === 0 ? "" : ` ${harmless(reasons.join(" "))}`;
  const end = ends[status] ?? "has no results";
  return new CommandError(`The batch ${id} ${end}.${why} ${continues}`);
}

const ends: Readonly<Record<string, string>> = {
  failed: "was refused",
  expired: "has expired",
  cancelled: "was cancelled",
};
