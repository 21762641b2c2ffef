import { BufferPool, CopiedChunks, pooledBytes } from "@model-gateway/runtime/buffer-pool";

/** A form with fewer bytes left to come takes a buffer of that size, and none from the pool. */
const smallBytesMax = 256 * 1024;

/**
 * The memory for the files of all forms in flight. A form takes it while its files arrive. No form waits for it: files
 * that find no room go to disk.
 */
export class UploadMemory {
  readonly #bytesMax: number;
  readonly #pool: BufferPool;
  #inUse = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    // All of it may wait for the next forms: with fewer buffers, some would be freed and allocated again all the time.
    this.#pool = new BufferPool(Math.floor(bytesMax / pooledBytes));
  }

  get bytesInUse(): number {
    return this.#inUse;
  }

  get bytesFree(): number {
    return this.#bytesMax - this.#inUse;
  }

  /** Takes a buffer for a form that has this much left to come. Undefined if there is no room. */
  take(bytesLeft: number): ArrayBuffer | undefined {
    const bytes = bytesLeft < smallBytesMax ? bytesLeft : pooledBytes;
    if (bytes > this.bytesFree) return undefined;
    this.#inUse += bytes;
    return bytes === pooledBytes ? this.#pool.take() : new ArrayBuffer(bytes);
  }

  release(buffers: readonly ArrayBuffer[]): void {
    for (const { byteLength } of buffers) this.#inUse -= byteLength;
    this.#pool.release(buffers);
  }
}

/**
 * The memory of one form. It has one owner, the form, and is released once: when the response is closed and all work
 * for the request is done. A buffer that is released is empty for every holder (`BufferPool`).
 */
export class FormBuffers {
  readonly #memory: UploadMemory;
  readonly #buffers: ArrayBuffer[] = [];
  /** Used bytes of the last buffer. */
  #end = 0;
  /** Bytes of the form that are still to come, at most. */
  #bytesLeft: number;
  readonly #copied = new CopiedChunks();
  #isReleased = false;

  constructor(memory: UploadMemory, formBytes: number) {
    this.#memory = memory;
    this.#bytesLeft = formBytes;
  }

  /** Copies a chunk, or the start of it where a buffer ends. Undefined if there is no room. */
  copy(chunk: Buffer): Buffer | undefined {
    const buffer = this.#bufferFor(chunk);
    if (buffer === undefined) return undefined;
    const bytes = Math.min(chunk.length, buffer.byteLength - this.#end);
    const copy = Buffer.from(buffer, this.#end, bytes);
    chunk.copy(copy, 0, 0, bytes);
    this.#end += bytes;
    this.#bytesLeft -= bytes;
    return copy;
  }

  /** Frees the memory of a copied chunk, if no other request is in it. */
  free(chunk: Buffer): void {
    this.#copied.addBodyChunk(chunk);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#memory.release(this.#buffers);
    this.#buffers.length = 0;
  }

  #bufferFor(chunk: Buffer): ArrayBuffer | undefined {
    const last = this.#buffers.at(-1);
    if (last !== undefined && this.#end < last.byteLength) return last;
    // Chunks after the release are not kept.
    if (this.#isReleased) return undefined;
    const buffer = this.#memory.take(Math.max(chunk.length, this.#bytesLeft));
    if (buffer === undefined) return undefined;
    this.#buffers.push(buffer);
    this.#end = 0;
    return buffer;
  }
}
