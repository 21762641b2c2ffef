import { type FileStore, unlessMissing } from "../files/file-store.js";
import type { Batch, BatchEnd, BatchPart, PartSegment } from "./batch.js";
import type { BatchStore } from "./batch-store.js";
import { requestIdOf, type UnrunReason, unrunLine } from "./line-results.js";
import { reparseLine, type ShapeOf } from "./parse-line.js";
import { readLines } from "./read-lines.js";
import { isBlank } from "./validate-file.js";

export interface OutputOptions {
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

/** The lines that succeeded, part by part in the order of the file. */
export async function* outputOf({ id }: Batch, options: OutputOptions): AsyncGenerator<Buffer> {
  for await (const { segments } of partsOf(id, options))
    for (const { fileId, outputBytes } of segments)
      if (outputBytes > 0) yield* await options.files.read(fileId, { start: 0, end: outputBytes });
}

/** The lines that failed, and those that never ran. */
export async function* errorsOf(batch: Batch, options: OutputOptions): AsyncGenerator<Buffer> {
  for await (const part of partsOf(batch.id, options)) {
    for (const { fileId, outputBytes, errorBytes } of part.segments)
      if (errorBytes > 0)
        yield* await options.files.read(fileId, { start: outputBytes, end: outputBytes + errorBytes });
    if (part.pending === null || part.pending.length > 0) yield* unrunOf(batch, part, options);
  }
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

/** Lines that never ran. They are read again, because nothing is stored of them. */
async function* unrunOf(
  { id, endpoint, inputFileId, outcome }: Batch,
  { start, end, firstLine, lines, pending }: BatchPart,
  { files, lineBytesMax, shapeOf }: OutputOptions,
): AsyncGenerator<Buffer> {
  const wanted = pending && new Set(pending.map(({ line }) => line));
  const reason = unrunReasons[outcome ?? "completed"];
  const stream = await files.read(inputFileId, { start, end }).catch(unlessMissing);
  if (stream === undefined) {
    // The file is gone, and with it the ids of the lines.
    for (const line of wanted ?? Array.from({ length: lines }, (_, at) => firstLine + at))
      yield unrunLine(requestIdOf(id, line), null, reason);
    return;
  }
  for await (const { number, text } of readLines(stream, {
    lineBytesMax,
    from: { start, line: firstLine },
  })) {
    if (text === undefined || isBlank(text) || (wanted !== null && !wanted.has(number))) continue;
    const { customId } = await reparseLine(text, { endpoint, shape: shapeOf(endpoint) });
    yield unrunLine(requestIdOf(id, number), customId, reason);
  }
}
