/**
 * Collects chunks in one buffer that doubles when it is full.
 *
 * A sender chooses the length of its chunks. A list of 1-byte chunks takes more than a hundred bytes for each: an 8 MB
 * body took 3 GB of memory.
 */
export class GrowingBuffer {
  readonly #bytesMax: number;
  #buffer: Buffer;
  #bytes = 0;

  /**
   * @param bytes The expected length.
   * @param bytesMax The caller adds no bytes beyond it.
   */
  constructor(bytes: number, bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#buffer = allocate(bytes);
  }

  add(chunk: Uint8Array): void {
    const end = this.#bytes + chunk.length;
    if (end > this.#buffer.length) this.#grow(end);
    this.#buffer.set(chunk, this.#bytes);
    this.#bytes = end;
  }

  /** The added bytes. Nothing is copied. */
  get content(): Buffer {
    return this.#bytes === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#bytes);
  }

  #grow(end: number): void {
    const larger = allocate(Math.max(end, Math.min(2 * this.#buffer.length, this.#bytesMax)));
    larger.set(this.#buffer.subarray(0, this.#bytes));
    this.#buffer = larger;
  }
}

/** Small ones are cut from memory that Node shares among buffers. */
const sharedBytesMax = 4096;

function allocate(bytes: number): Buffer {
  return bytes < sharedBytesMax ? Buffer.allocUnsafe(bytes) : Buffer.allocUnsafeSlow(bytes);
}
