import { freeArrayBuffers, ownMemory } from "./buffer-pool.js";

/**
 * A sender may declare more than it sends, and V8 counts memory from the moment it is allocated: refused after their
 * first megabyte, 16 bodies of 33 MB still caused eight full collections.
 */
const firstBytesMax = 2 * 1024 * 1024;

/**
 * Collects chunks in one buffer that doubles when it is full.
 *
 * A sender chooses the length of its chunks. A list of 1-byte chunks takes more than a hundred bytes for each: an 8 MB
 * body took 3 GB of memory.
 */
export class GrowingBuffer {
  readonly #bytesExpected: number;
  readonly #bytesMax: number;
  #buffer: Buffer;
  #bytes = 0;

  /**
   * @param bytes The expected length.
   * @param bytesMax The caller adds no bytes beyond it.
   */
  constructor(bytes: number, bytesMax: number) {
    this.#bytesExpected = bytes;
    this.#bytesMax = bytesMax;
    this.#buffer = allocate(Math.min(bytes, firstBytesMax));
  }

  add(chunk: Uint8Array): void {
    const end = this.#bytes + chunk.length;
    if (end > this.#buffer.length) this.#grow(end);
    this.#buffer.set(chunk, this.#bytes);
    this.#bytes = end;
  }

  /** The added bytes. Nothing is copied, so an earlier content may be empty once more was added. */
  get content(): Buffer {
    return this.#bytes === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#bytes);
  }

  #grow(end: number): void {
    const doubled = Math.min(2 * this.#buffer.length, this.#bytesMax);
    const larger = allocate(Math.max(end, doubled, this.#bytesExpected));
    larger.set(this.#buffer.subarray(0, this.#bytes));
    const memory = ownMemory(this.#buffer);
    if (memory !== undefined) freeArrayBuffers([memory]);
    this.#buffer = larger;
  }
}

/** Small ones are cut from memory that Node shares among buffers. */
const sharedBytesMax = 4096;

function allocate(bytes: number): Buffer {
  return bytes < sharedBytesMax ? Buffer.allocUnsafe(bytes) : Buffer.allocUnsafeSlow(bytes);
}
