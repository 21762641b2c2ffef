import { text } from "node:stream/consumers";
import { isObject } from "@model-gateway/runtime/json";
import { type FileStore, unlessMissing } from "../files/file-store.js";
import type { BatchEndpoint } from "./batch.js";

/** The width of a model's vectors. Undefined if it is not known. */
export type WidthOf = (model: string | undefined) => number | undefined;

/** Where results are estimated: what the lines call, and how wide the vectors of models are. */
interface ResultForm {
  readonly endpoint: BatchEndpoint;
  readonly widthOf: WidthOf;
}

/** A result without its vectors or images. Its id comes on top. */
const envelopeBytes = 700;
/** Where a model does not say its width. */
const defaultWidth = 1536;
const widthMax = 65_536;
/** A number with all of its digits, its sign and its comma. */
const numberBytes = 22;
/** Numbers of a quantised vector, such as `-128,`. */
const smallNumberBytes = 5;
const defaultPixels = 1024 * 1024;
const pixelsMax = 4096 * 4096;
/** A PNG of a photograph. */
const pngPixelBytes = 2;
const lossyPixelBytes = 0.5;
const imagesMax = 10;
const base64Ratio = 4 / 3;

/** The bytes that the result of a line may take, in the output file and behind its links. Rather too many than too few. */
export function estimateResult(
  { customId, body }: { readonly customId: string; readonly body: Readonly<Record<string, unknown>> },
  { endpoint, widthOf }: ResultForm,
): number {
  const content = endpoint === "/v1/embeddings" ? vectorBytes(body, widthOf) : imageBytes(body);
  return Math.ceil(envelopeBytes + 2 * customId.length + content);
}

function vectorBytes(body: Readonly<Record<string, unknown>>, widthOf: WidthOf): number {
  const model = typeof body.model === "string" ? body.model : undefined;
  const width =
    positive(body.dimensions) ?? positive(body.output_dimension) ?? widthOf(model) ?? defaultWidth;
  return countInputs(body.input) * (60 + Math.min(width, widthMax) * dimensionBytes(body));
}

function dimensionBytes({
  encoding_format: encoding,
  output_dtype: dtype,
}: Readonly<Record<string, unknown>>) {
  const isBase64 = encoding === "base64";
  if (dtype === "binary" || dtype === "ubinary") return (isBase64 ? base64Ratio : smallNumberBytes) / 8;
  if (dtype === "int8" || dtype === "uint8") return isBase64 ? base64Ratio : smallNumberBytes;
  return isBase64 ? 4 * base64Ratio : numberBytes;
}

function imageBytes({ n, size, output_format: format }: Readonly<Record<string, unknown>>): number {
  const count = Math.min(positive(n) ?? 1, imagesMax);
  const pixelBytes = format === "jpeg" || format === "webp" ? lossyPixelBytes : pngPixelBytes;
  return count * pixelsOf(size) * pixelBytes * base64Ratio;
}

function pixelsOf(size: unknown): number {
  const sides = typeof size === "string" ? /^(\d{1,5})x(\d{1,5})$/.exec(size) : null;
  return sides === null ? defaultPixels : Math.min(Number(sides[1]) * Number(sides[2]), pixelsMax);
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** A text, or the tokens of one, is one input. */
export function countInputs(input: unknown): number {
  if (!Array.isArray(input)) return 1;
  return typeof input[0] === "number" ? 1 : input.length;
}

const sampleBytes = 16 * 1024;
const samples = 4;
/** Lines of a sample. A line that cannot be read takes 15 µs. */
const sampledLinesMax = 100;

/**
 * The bytes that the results of a whole file may take, from some lines at four places in it. The place with the smallest
 * results counts: no file is refused for an estimate, and the check of the file makes it exact before a line runs. Where
 * no line can be read, such as a file on another gateway, it is the size of the file.
 */
export async function estimateFile(
  { id, bytes }: { readonly id: string; readonly bytes: number },
  { files, form, linesMax }: EstimateFileOptions,
): Promise<number> {
  const estimates: number[] = [];
  for (const start of sampleStarts(bytes)) {
    const stream = await files.read(id, { start, end: start + sampleBytes }).catch(unlessMissing);
    if (stream === undefined) return bytes;
    const isLast = start + sampleBytes >= bytes;
    const seen = wholeLines(await text(stream), { start, isLast }).flatMap(
      (line) => resultOf(line, form) ?? [],
    );
    if (seen.length === 0) continue;
    const [textBytes, resultBytes] = [sum(seen, "textBytes"), sum(seen, "resultBytes")];
    const lines = Math.min(linesMax, bytes / (textBytes / seen.length));
    estimates.push(Math.ceil(lines * (resultBytes / seen.length)));
  }
  return estimates.length === 0 ? bytes : Math.min(...estimates);
}

interface SampledLine {
  readonly textBytes: number;
  readonly resultBytes: number;
}

function sum(lines: readonly SampledLine[], field: keyof SampledLine): number {
  return lines.reduce((total, line) => total + line[field], 0);
}

interface EstimateFileOptions {
  readonly files: Pick<FileStore, "read">;
  readonly form: ResultForm;
  readonly linesMax: number;
}

function sampleStarts(bytes: number): number[] {
  const last = Math.max(0, bytes - sampleBytes);
  if (bytes <= samples * sampleBytes)
    return Array.from({ length: Math.ceil(bytes / sampleBytes) }, (_, at) => at * sampleBytes);
  return Array.from({ length: samples }, (_, at) => Math.floor((last * at) / (samples - 1)));
}

/** A sample may begin and end inside of a line. */
function wholeLines(sample: string, { start, isLast }: { start: number; isLast: boolean }): string[] {
  const lines = sample.split("\n").slice(start === 0 ? 0 : 1, isLast ? undefined : -1);
  return lines.filter((line) => line.trim() !== "").slice(0, sampledLinesMax);
}

function resultOf(line: string, form: ResultForm): SampledLine | undefined {
  try {
    const { custom_id, body }: Readonly<Record<string, unknown>> = JSON.parse(line);
    if (!isObject(body)) return undefined;
    const customId = typeof custom_id === "string" ? custom_id : "";
    return { textBytes: Buffer.byteLength(line) + 1, resultBytes: estimateResult({ customId, body }, form) };
  } catch {
    // Not a line, or not one of a valid file: the check says so.
    return undefined;
  }
}
