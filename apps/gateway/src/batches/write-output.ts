import { type FileStore, unlessMissing } from "../files/file-store.js";
import type { Batch, BatchEnd, BatchPart, PartSegment, PendingLine } from "./batch.js";
import type { BatchStore } from "./batch-store.js";
import { requestIdOf, type UnrunReason, unrunLine } from "./line-results.js";
import { readCustomId } from "./parse-json-line.js";
import type { ShapeOf } from "./parse-line.js";
import { readLines } from "./read-lines.js";
import { isBlank } from "./validate-file.js";

interface OutputOptions {
  readonly store: Pick<BatchStore, "listParts">;
  readonly files: Pick<FileStore, "read">;
  readonly lineBytesMax: number;
  readonly shapeOf: ShapeOf;
}

const partsAtOnce = 100;

/** The reason in the error file for lines that never ran, by the end of their batch. */
const unrunReasons: Readonly<Record<BatchEnd, UnrunReason>> = {
  completed: { code: "internal_error", message: "This request was not executed." },
  expired: {
    code: "batch_expired",
    message: "This request could not be executed before the completion window expired.",
  },
  cancelled: { code: "batch_cancelled", message: "This request was not executed: the batch was cancelled." },
  failed: { code: "batch_failed", message: "This request was not executed: the batch failed." },
};

/** The result of a line that has run was lost, because it could not be stored. */
const lost: UnrunReason = {
  code: "result_not_stored",
  message:
    "This request was executed, and may have been billed, but its result could not be stored before the batch ended.",
};

/** The lines that succeeded, part by part in the order of the file. */
export async function* outputOf({ id }: Batch, options: OutputOptions): AsyncGenerator<Buffer> {
  for await (const { segments } of partsOf(id, options))
    for (const { fileId, outputBytes } of segments)
      if (outputBytes > 0) yield* await options.files.read(fileId, { start: 0, end: outputBytes });
}

/** The lines that failed, and those that never ran. */
export async function* errorsOf(batch: Batch, options: OutputOptions): AsyncGenerator<Buffer> {
  const unrun: BatchPart[] = [];
  for await (const part of partsOf(batch.id, options)) {
    for (const { fileId, outputBytes, errorBytes } of part.segments)
      if (errorBytes > 0)
        yield* await options.files.read(fileId, { start: outputBytes, end: outputBytes + errorBytes });
    if (part.pending === null || part.pending.length > 0) unrun.push(part);
  }
  yield* unrunOf(batch, unrun, options);
}

/** The segments of all parts. */
export async function* segmentsOf(
  { id }: Pick<Batch, "id">,
  options: Pick<OutputOptions, "store">,
): AsyncGenerator<PartSegment> {
  for await (const { segments } of partsOf(id, options)) yield* segments;
}

async function* partsOf(id: string, { store }: Pick<OutputOptions, "store">): AsyncGenerator<BatchPart> {
  for (let from = 0; ; from += partsAtOnce) {
    const parts = await store.listParts(id, { from, limit: partsAtOnce });
    yield* parts;
    if (parts.length < partsAtOnce) return;
  }
}

/**
 * Lines that never ran. They are read again, because nothing is stored of them: once for all parts, since an image is a
 * part by itself.
 */
async function* unrunOf(
  { id, endpoint, inputFileId, outcome }: Batch,
  parts: readonly BatchPart[],
  { files, lineBytesMax, shapeOf }: OutputOptions,
): AsyncGenerator<Buffer> {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return;
  const wanted = new UnrunLines(parts);
  const write = (line: number, customId: string | null): Buffer =>
    unrunLine(
      requestIdOf(id, line),
      customId,
      wanted.hasRun(line) ? lost : unrunReasons[outcome ?? "completed"],
    );
  const range = { start: first.start, end: last.end };
  const stream = await files.read(inputFileId, range).catch(unlessMissing);
  if (stream === undefined) {
    // The file is gone, and with it the ids of the lines.
    for (const line of wanted.all()) yield write(line, null);
    return;
  }
  const from = { start: first.start, line: first.firstLine };
  for await (const { number, text } of readLines(stream, { lineBytesMax, from })) {
    if (text === undefined || isBlank(text) || !wanted.has(number)) continue;
    yield write(number, await readCustomId(text, shapeOf(endpoint)));
  }
}

/** The lines of parts that have not ended. Asked for in the order of the file. */
class UnrunLines {
  readonly #parts: readonly BatchPart[];
  /** Where a line is in `#pending` only if some lines of its part have ended. */
  readonly #pending = new Map<number, PendingLine>();
  #at = 0;

  constructor(parts: readonly BatchPart[]) {
    this.#parts = parts;
    for (const { pending } of parts) for (const one of pending ?? []) this.#pending.set(one.line, one);
  }

  has(line: number): boolean {
    while (line >= endOf(this.#parts[this.#at])) this.#at += 1;
    const part = this.#parts[this.#at];
    if (part === undefined || line < part.firstLine) return false;
    return part.pending === null || this.#pending.has(line);
  }

  hasRun(line: number): boolean {
    return this.#pending.get(line)?.hasRun === true;
  }

  *all(): Generator<number> {
    for (const { pending, firstLine, lines } of this.#parts)
      yield* pending?.map(({ line }) => line) ?? Array.from({ length: lines }, (_, at) => firstLine + at);
  }
}

function endOf(part: BatchPart | undefined): number {
  return part === undefined ? Number.POSITIVE_INFINITY : part.firstLine + part.lines;
}
