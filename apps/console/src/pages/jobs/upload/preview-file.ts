import type { Schemas } from "../../../operations/schemas.js";
import { type BatchEndpoint, checkLine, endpoints, type LineFault, parseLine } from "./check-line.js";
import { readLines } from "./read-lines.js";

/** The findings in a file, as far as it is read. */
export interface FilePreview {
  readonly bytesRead: number;
  /** Requests. Blank lines do not count. */
  readonly lines: number;
  /** The number of lines for each url, and for each model: the first ones that were found. */
  readonly urls: ReadonlyMap<string, number>;
  /** Undefined: the gateway's default model. */
  readonly models: ReadonlyMap<string | undefined, number>;
  /** The first url that batches have. */
  readonly endpoint: BatchEndpoint | undefined;
  /** The first ones. */
  readonly faults: readonly Schemas["BatchFault"][];
  readonly faultyLines: number;
  /** Lines that are too long to look into. */
  readonly skippedLines: number;
  /** Whether there are too many `custom_id`s to look for repeated ones. */
  readonly ignoresRepeats: boolean;
}

export interface PreviewOptions {
  readonly signal: AbortSignal;
  /** Called after each piece of the file. */
  readonly onProgress: (preview: FilePreview) => void;
}

/** Faults that are kept. More would not help. */
export const faultsMax = 20;
/** Names that are kept, and letters of a name. */
const namesMax = 10;
const nameLengthMax = 128;
/** Letters of all `custom_id`s that are kept to find repeated ones. */
const idLettersMax = 16_000_000;

/** Reads a file to its end, and says what a gateway would find in its lines. */
export async function previewFile(file: Blob, { signal, onProgress }: PreviewOptions): Promise<FilePreview> {
  const found = new Findings();
  for await (const { lines, bytesRead } of readLines(file)) {
    signal.throwIfAborted();
    for (const { number, text } of lines) found.add(number, text);
    onProgress(found.preview(bytesRead));
  }
  return found.preview(file.size);
}

class Findings {
  readonly #urls = new Map<string, number>();
  readonly #models = new Map<string | undefined, number>();
  readonly #faults: Schemas["BatchFault"][] = [];
  readonly #customIds = new Set<string>();
  #idLetters = 0;
  #lines = 0;
  #faultyLines = 0;
  #skippedLines = 0;
  #endpoint: BatchEndpoint | undefined;
  #model: { readonly name: string | undefined } | undefined;

  add(number: number, text: string | undefined): void {
    if (text !== undefined && text.length < 64 && text.trim() === "") return;
    this.#lines += 1;
    if (text === undefined) {
      this.#skippedLines += 1;
      return;
    }
    const faults = this.#faultsOf(text);
    if (faults.length > 0) this.#faultyLines += 1;
    for (const fault of faults)
      if (this.#faults.length < faultsMax) this.#faults.push({ ...fault, line: number });
  }

  preview(bytesRead: number): FilePreview {
    return {
      bytesRead,
      lines: this.#lines,
      urls: new Map(this.#urls),
      models: new Map(this.#models),
      endpoint: this.#endpoint,
      faults: [...this.#faults],
      faultyLines: this.#faultyLines,
      skippedLines: this.#skippedLines,
      ignoresRepeats: this.#idLetters > idLettersMax,
    };
  }

  #faultsOf(text: string): readonly LineFault[] {
    const parsed = parseLine(text);
    if ("fault" in parsed) return [parsed.fault];
    const { line } = parsed;
    const { url } = line;
    if (typeof url === "string") {
      count(this.#urls, shortened(url));
      this.#endpoint ??= endpoints.find((one) => one === url);
    }
    const checked = checkLine(line, this.#endpoint);
    if (!("customId" in checked)) return checked;
    const { customId, model } = checked;
    count(this.#models, model === undefined ? undefined : shortened(model));
    return [...this.#faultsOfId(customId), ...this.#faultsOfModel(model)];
  }

  #faultsOfId(customId: string): LineFault[] {
    if (this.#customIds.has(customId)) {
      const message = "Another line has the same 'custom_id'.";
      return [{ code: "duplicate_custom_id", param: "custom_id", message }];
    }
    this.#idLetters += customId.length;
    if (this.#idLetters <= idLettersMax) this.#customIds.add(customId);
    else this.#customIds.clear();
    return [];
  }

  /** The first line decides on the model. */
  #faultsOfModel(model: string | undefined): LineFault[] {
    this.#model ??= { name: model };
    if (model === this.#model.name) return [];
    const message = "The model of this line is not that of the first line. All lines must name one model.";
    return [{ code: "model_mismatch", param: "body.model", message }];
  }
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  const before = counts.get(name);
  if (before !== undefined || counts.size < namesMax) counts.set(name, (before ?? 0) + 1);
}

function shortened(name: string): string {
  return name.length > nameLengthMax ? `${name.slice(0, nameLengthMax)}…` : name;
}
