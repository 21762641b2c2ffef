import type { FileService } from "../files/file-service.js";
import type { BatchEndpoint, BatchFault } from "./batch.js";
import type { BatchLimits } from "./validate-file.js";

interface KnownRefusalsOptions {
  readonly files: Pick<FileService, "noteRefusal" | "refusalOf">;
  readonly limits: BatchLimits;
}

/**
 * Remembers the faults of files that were refused, with the file. The same file may be given to a hundred batches, and
 * reading it is free for its key.
 */
export class KnownRefusals {
  readonly #options: KnownRefusalsOptions;

  constructor(options: KnownRefusalsOptions) {
    this.#options = options;
  }

  /** Undefined if the file was not refused for the endpoint, within these limits. */
  async find(fileId: string, endpoint: BatchEndpoint): Promise<readonly BatchFault[] | undefined> {
    const text = await this.#options.files.refusalOf(fileId);
    if (text === undefined) return undefined;
    // Written by `note` alone.
    const { form, faults } = JSON.parse(text) as KnownRefusal;
    return form === this.#formOf(endpoint) ? faults : undefined;
  }

  async note(fileId: string, endpoint: BatchEndpoint, faults: readonly BatchFault[]): Promise<void> {
    const refusal: KnownRefusal = { form: this.#formOf(endpoint), faults };
    await this.#options.files.noteRefusal(fileId, JSON.stringify(refusal));
  }

  /** With other limits or at another endpoint, a file may be valid. */
  #formOf(endpoint: BatchEndpoint): string {
    const { linesMax, fileBytesMax, inputsMax, lineBytesMax } = this.#options.limits;
    return JSON.stringify([endpoint, linesMax, fileBytesMax, inputsMax, lineBytesMax]);
  }
}

interface KnownRefusal {
  readonly form: string;
  readonly faults: readonly BatchFault[];
}
