import type { Schemas } from "@model-gateway/domain/operations";
import type { PartialImage } from "@model-gateway/domain/requests";

/** A larger partial image is skipped, and the one before stays. */
export const partialBytesMax = 4 * 1024 * 1024;

interface JobProgressOptions {
  /** Replaces the stored progress of the job. */
  readonly write: (progress: string) => Promise<void>;
  readonly onFailure: (failure: unknown) => void;
}

/** Stores the latest partial image of a job that runs here. Of those that arrive during a write, the last is next. */
export class JobProgress {
  readonly #options: JobProgressOptions;
  #count = 0;
  #next: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: JobProgressOptions) {
    this.#options = options;
  }

  /** @param image It is released here. */
  add(image: PartialImage): void {
    this.#count += 1;
    const { b64_json: content, created_at, output_format, size } = image;
    if (content.bytes <= partialBytesMax) {
      const progress = {
        partial_images: this.#count,
        partial_image: { created_at, b64_json: "", output_format, size },
      } satisfies Schemas["JobProgress"];
      // For each letter, JSON.stringify looks whether it is to be escaped: 15 ms for the largest.
      this.#next = JSON.stringify(progress).replace('""', () => `"${content.toText()}"`);
      this.#writing ??= this.#write();
    }
    content.release();
  }

  /** Resolves when nothing is left to write. Nothing may be added afterwards. */
  async close(): Promise<void> {
    this.#next = undefined;
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { write, onFailure } = this.#options;
    while (this.#next !== undefined) {
      const progress = this.#next;
      this.#next = undefined;
      await write(progress).catch(onFailure);
    }
    this.#writing = undefined;
  }
}
