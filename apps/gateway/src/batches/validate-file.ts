import type { BatchFault, LineRange } from "./batch.js";
import { estimateResult, type WidthOf } from "./estimate-results.js";
import { type BatchLine, type LineFault, type LineForm, parseLine } from "./parse-line.js";
import { type Line, readLines } from "./read-lines.js";

/** Bounds of an input file. */
export interface BatchLimits {
  readonly linesMax: number;
  readonly fileBytesMax: number;
  /** Texts of all embedding lines together. */
  readonly inputsMax: number;
  readonly lineBytesMax: number;
}

/** Says why the key may not call a model for the lines' operation. Undefined if it may. */
export type CheckModel = (model: string | undefined) => LineFault | undefined;

interface ValidationOptions extends LineForm {
  /** The width of a model's vectors, for the size of the results. */
  readonly widthOf: WidthOf;
  readonly limits: BatchLimits;
  readonly checkModel: CheckModel;
}

export type FileVerdict =
  | {
      readonly kind: "faulty";
      readonly faults: readonly BatchFault[];
      /** Whether they are in the file itself. Another key may be allowed to call its model, or this one later. */
      readonly areOfFile: boolean;
    }
  | {
      readonly kind: "valid";
      readonly model: string | undefined;
      readonly total: number;
      readonly ranges: readonly LineRange[];
      /** The bytes that the results may take. */
      readonly resultBytes: number;
    };

/** Faults that are reported. Reading ends there. */
const faultsMax = 100;

/** Lines of one part: they run together, and their results are one checkpoint. */
const partLinesMax = 256;
/** Bounds the memory of a part's results. A line with more inputs is a part by itself. */
const partInputsMax = 512;
const partBytesMax = 8 * 1024 * 1024;

/** Checks a file line by line, and cuts it into parts. Either all its lines may run, or none does. */
export async function validateFile(
  stream: AsyncIterable<Buffer>,
  options: ValidationOptions,
): Promise<FileVerdict> {
  const file = new BatchFileCheck(options);
  for await (const line of readLines(stream, options.limits)) {
    await file.add(line);
    if (file.isOver) break;
  }
  return file.verdict();
}

/** Whether a line has no request: files may end with an empty line. */
export function isBlank(text: Buffer): boolean {
  return text.length < 64 && text.toString().trim() === "";
}

class BatchFileCheck {
  readonly #options: ValidationOptions;
  readonly #faults: BatchFault[] = [];
  readonly #customIds = new Set<string>();
  readonly #ranges: LineRange[] = [];
  #part: (LineRange & { readonly inputs: number }) | undefined;
  #model: { readonly name: string | undefined } | undefined;
  #total = 0;
  #blank = 0;
  #inputs = 0;
  #resultBytes = 0;
  #isModelRefused = false;
  #isOver = false;

  constructor(options: ValidationOptions) {
    this.#options = options;
  }

  /** Whether more lines would change nothing. */
  get isOver(): boolean {
    return this.#isOver || this.#faults.length >= faultsMax;
  }

  async add(line: Line): Promise<void> {
    const { limits } = this.#options;
    const { number, text } = line;
    if (line.end > limits.fileBytesMax) return this.#end("file_too_large", `${limits.fileBytesMax} bytes`);
    if (text === undefined) return this.#report(number, [tooLong(limits)]);
    if (isBlank(text)) return this.#addBlank();
    this.#total += 1;
    if (this.#total > limits.linesMax) return this.#end("too_many_tasks", `${limits.linesMax} lines`);
    const parsed = await parseLine(text, this.#options);
    if (!("customId" in parsed)) return this.#report(number, parsed);
    this.#report(number, [...this.#faultsOfId(parsed), ...this.#faultsOfModel(parsed)]);
    this.#inputs += parsed.inputs;
    if (this.#inputs > limits.inputsMax)
      return this.#end("too_many_inputs", `${limits.inputsMax} inputs in all lines together`);
    this.#resultBytes += estimateResult(parsed, this.#options);
    this.#cut(line, parsed.inputs);
  }

  verdict(): FileVerdict {
    if (this.#faults.length > 0)
      return {
        kind: "faulty",
        faults: this.#faults.slice(0, faultsMax),
        areOfFile: !this.#isModelRefused,
      };
    if (this.#total === 0) {
      const message = "The file has no lines.";
      const fault = { code: "empty_file", line: null, message, param: null };
      return { kind: "faulty", faults: [fault], areOfFile: true };
    }
    this.#endPart();
    const { name: model } = this.#model ?? { name: undefined };
    const [total, ranges, resultBytes] = [this.#total, this.#ranges, this.#resultBytes];
    return { kind: "valid", model, total, ranges, resultBytes };
  }

  /** As many as there may be requests: a blank line costs nearly as much. */
  #addBlank(): void {
    const { linesMax } = this.#options.limits;
    this.#blank += 1;
    if (this.#blank > linesMax) this.#end("too_many_blank_lines", `${linesMax} blank lines`);
  }

  #faultsOfId({ customId }: BatchLine): LineFault[] {
    if (!this.#customIds.has(customId)) {
      this.#customIds.add(customId);
      return [];
    }
    const message = "Another line has the same 'custom_id'.";
    return [{ code: "duplicate_custom_id", param: "custom_id", message }];
  }

  /** The first line decides on the model. */
  #faultsOfModel({ model }: BatchLine): LineFault[] {
    if (this.#model === undefined) {
      this.#model = { name: model };
      const fault = this.#options.checkModel(model);
      if (fault === undefined) return [];
      // No line can run, whatever is in the others.
      this.#isOver = true;
      this.#isModelRefused = true;
      return [{ ...fault, param: "body.model" }];
    }
    if (model === this.#model.name) return [];
    const message = "The model of this line is not that of the first line. All lines must name one model.";
    return [{ code: "model_mismatch", param: "body.model", message }];
  }

  #cut({ number, start, end }: Line, inputs: number): void {
    const part = this.#part;
    const isImage = this.#options.endpoint !== "/v1/embeddings";
    const fits =
      part !== undefined &&
      !isImage &&
      part.lines < partLinesMax &&
      part.inputs + inputs <= partInputsMax &&
      end - part.start <= partBytesMax;
    if (part !== undefined && fits) {
      // Blank lines between them belong to the part.
      this.#part = { ...part, end, lines: number - part.firstLine + 1, inputs: part.inputs + inputs };
      return;
    }
    this.#endPart();
    this.#part = { start, end, firstLine: number, lines: 1, inputs };
  }

  #endPart(): void {
    if (this.#part === undefined) return;
    const { inputs: _inputs, ...range } = this.#part;
    this.#ranges.push(range);
    this.#part = undefined;
  }

  #report(line: number, faults: readonly LineFault[]): void {
    for (const fault of faults) this.#faults.push({ ...fault, line });
  }

  #end(code: string, limit: string): void {
    this.#faults.push({ code, line: null, message: `The file has more than ${limit}.`, param: null });
    this.#isOver = true;
  }
}

function tooLong({ lineBytesMax }: BatchLimits): LineFault {
  return { code: "line_too_long", param: null, message: `This line is longer than ${lineBytesMax} bytes.` };
}
