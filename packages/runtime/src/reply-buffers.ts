import {
  type BufferPool,
  CopiedChunks,
  freeArrayBuffers,
  ownBytesMin,
  ownMemory,
  pooledBytes,
} from "./buffer-pool.js";

/** Smaller replies stay in the chunks they arrived in. */
const smallBytesMax = 256 * 1024;

/**
 * The memory of one upstream reply, reference-counted.
 *
 * The rule: its owner is the response. A request that sends a vector or an image of the reply retains it once for each,
 * and releases it once, after the last byte of its response was sent. The last release gives the memory back: at once, or
 * with that of other small replies when they have a megabyte.
 *
 * - A forgotten release only leaves the memory to the garbage collector.
 * - A release after the last one does nothing: the pool skips a buffer that was released before.
 * - A release before the last byte was sent is the dangerous mistake: Node may then send bytes of another reply.
 */
export class ReplyBuffers {
  readonly #pool: BufferPool;
  /** The first chunks, which stay in the memory they arrived in. */
  readonly #uncopied: Buffer[] = [];
  /** Buffers of the pool, which hold all other chunks. */
  readonly #pooled: ArrayBuffer[] = [];
  /** Used bytes of the last pooled buffer. */
  #pooledEnd = pooledBytes;
  /** The memory that copied chunks arrived in, until it is freed. */
  readonly #copied = new CopiedChunks();
  #bytes = 0;
  #holders = 0;

  constructor(pool: BufferPool) {
    this.#pool = pool;
  }

  /** Whether the last release may free something. A chunk that is smaller shares its memory with others. */
  get needsRelease(): boolean {
    return this.#bytes >= ownBytesMin;
  }

  /**
   * Adds a chunk, and returns the buffer that holds its bytes from now on.
   *
   * @param chunk From a socket: an array buffer of `ownBytesMin` or more holds only this chunk and the next ones.
   */
  add(chunk: Buffer): Buffer {
    if (chunk.length === 0) return chunk;
    this.#bytes += chunk.length;
    if (!this.#isLarge) {
      this.#uncopied.push(chunk);
      return chunk;
    }
    const copy = this.#allocate(chunk.length);
    copy.set(chunk);
    this.#freeLater(chunk);
    return copy;
  }

  retain(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders !== 0 || !this.needsRelease) return;
    const uncopied = this.#uncopied.flatMap((chunk) => ownMemory(chunk) ?? []);
    if (!this.#isLarge) {
      this.#pool.freeInGroups(uncopied);
      return;
    }
    freeArrayBuffers([...new Set([...uncopied, ...this.#copied.buffers])]);
    this.#pool.release(this.#pooled);
  }

  get #isLarge(): boolean {
    return this.#bytes > smallBytesMax;
  }

  #allocate(bytes: number): Buffer {
    // No socket reads this much at once.
    if (bytes > pooledBytes) return Buffer.from(new ArrayBuffer(bytes));
    if (this.#pooledEnd + bytes > pooledBytes) {
      this.#pooled.push(this.#pool.take());
      this.#pooledEnd = 0;
    }
    const start = this.#pooledEnd;
    this.#pooledEnd += bytes;
    return Buffer.from(this.#pooled.at(-1) as ArrayBuffer, start, bytes);
  }

  /**
   * The sender may still read the rest of a chunk's array buffer until it sends a chunk of another one. Chunks of one
   * array buffer arrive in a row, so only the last uncopied chunk can share this one.
   */
  #freeLater(chunk: Buffer): void {
    const memory = ownMemory(chunk);
    if (memory !== undefined && this.#uncopied.at(-1)?.buffer !== memory) this.#copied.add(memory);
  }
}
