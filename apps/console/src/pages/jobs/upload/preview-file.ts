import type { Schemas } from "../../../operations/schemas.js";
import { checkBody, countItems, estimateTokens } from "./check-body.js";
import {
  type BatchEndpoint,
  checkLine,
  endpoints,
  isObject,
  type LineBody,
  type LineFault,
  parseLine,
} from "./check-line.js";
import { readLines } from "./read-lines.js";

/** The findings in a file, as far as it is read. */
export interface FilePreview {
  readonly bytesRead: number;
  /** Requests. Blank lines do not count. */
  readonly lines: number;
  /** Texts to embed, or images to create. */
  readonly items: number;
  /** About how many tokens the texts have. */
  readonly tokens: number;
  /** The number of lines for each url, and for each model: the first ones that were found. */
  readonly urls: ReadonlyMap<string, number>;
  /** Undefined: the gateway's default model. */
  readonly models: ReadonlyMap<string | undefined, number>;
  /** The first url that batches have. */
  readonly endpoint: BatchEndpoint | undefined;
  /** The first ones. */
  readonly faults: readonly Schemas["BatchFault"][];
  readonly faultyLines: number;
  /** Why lines will fail when they run: the first reasons. The other lines run. */
  readonly failures: readonly Schemas["BatchFault"][];
  readonly failingLines: number;
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

/** Faults, and failures, that are kept. More would not help. */
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
  readonly #failures: Schemas["BatchFault"][] = [];
  readonly #customIds = new Set<string>();
  #idLetters = 0;
  #lines = 0;
  #items = 0;
  #tokens = 0;
  #faultyLines = 0;
  #failingLines = 0;
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
    const { faults, failures } = this.#check(text);
    if (faults.length > 0) this.#faultyLines += 1;
    else if (failures.length > 0) this.#failingLines += 1;
    keep(this.#faults, { found: faults, line: number });
    keep(this.#failures, { found: failures, line: number });
  }

  preview(bytesRead: number): FilePreview {
    return {
      bytesRead,
      lines: this.#lines,
      items: this.#items,
      tokens: this.#tokens,
      urls: new Map(this.#urls),
      models: new Map(this.#models),
      endpoint: this.#endpoint,
      faults: [...this.#faults],
      faultyLines: this.#faultyLines,
      failures: [...this.#failures],
      failingLines: this.#failingLines,
      skippedLines: this.#skippedLines,
      ignoresRepeats: this.#idLetters > idLettersMax,
    };
  }

  #check(text: string): CheckedText {
    const parsed = parseLine(text);
    if ("fault" in parsed) return { faults: [parsed.fault], failures: [] };
    const { line } = parsed;
    const { url, body } = line;
    if (typeof url === "string") {
      count(this.#urls, shortened(url));
      this.#endpoint ??= endpoints.find((one) => one === url);
    }
    if (isObject(body)) this.#countBody(body);
    const checked = checkLine(line, this.#endpoint);
    if (!("customId" in checked)) return { faults: checked, failures: [] };
    const faults = [...this.#faultsOfId(checked.customId), ...this.#faultsOfModel(checked.model)];
    return { faults, failures: faults.length > 0 ? [] : checkBody(checked) };
  }

  /** A line with a fault counts too. */
  #countBody(body: LineBody): void {
    const { model } = body;
    if (model === undefined) count(this.#models, undefined);
    else if (typeof model === "string") count(this.#models, shortened(model));
    if (this.#endpoint === undefined) return;
    this.#items += countItems(this.#endpoint, body);
    this.#tokens += estimateTokens(this.#endpoint, body);
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

interface CheckedText {
  readonly faults: readonly LineFault[];
  /** None if it has faults. */
  readonly failures: readonly LineFault[];
}

interface Found {
  readonly found: readonly LineFault[];
  readonly line: number;
}

function keep(kept: Schemas["BatchFault"][], { found, line }: Found): void {
  for (const fault of found) if (kept.length < faultsMax) kept.push({ ...fault, line });
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  const before = counts.get(name);
  if (before !== undefined || counts.size < namesMax) counts.set(name, (before ?? 0) + 1);
}

function shortened(name: string): string {
  return name.length > nameLengthMax ? `${name.slice(0, nameLengthMax)}…` : name;
}
