import { type BufferPool, freeArrayBuffers, pooledBytes } from "./buffer-pool.js";

/** Smaller replies stay in the chunks they arrived in: a young collection frees them with the objects around them. */
const smallBytesMax = 256 * 1024;

/** Chunks that were copied are freed in groups, since each call that frees memory has a fixed cost. */
const groupBytes = 1024 * 1024;

/**
 * Smaller array buffers may be shared: Node keeps several buffers in one of them, and undici has one empty buffer for all
 * replies. A chunk of TLS has 16 KB of its own.
 */
const ownBytesMin = 16 * 1024;

/**
 * The memory of one upstream reply, reference-counted.
 *
 * The rule: its owner is the response. A request that sends a vector or an image of the reply retains it once for each,
 * and releases it once, after the last byte of its response was sent. The last release gives the memory back at once.
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
  /** How much of the last pooled buffer is used. */
  #pooledEnd = pooledBytes;
  /** The memory that copied chunks arrived in, until it is freed. */
  #copied: ArrayBuffer[] = [];
  #copiedBytes = 0;
  #bytes = 0;
  #holders = 0;

  constructor(pool: BufferPool) {
    this.#pool = pool;
  }

  /** Whether the last release frees anything. */
  get isLarge(): boolean {
    return this.#bytes > smallBytesMax;
  }

  /**
   * Adds a chunk, and returns the buffer that holds its bytes from now on.
   *
   * @param chunk From a socket: an array buffer of `ownBytesMin` or more holds only this chunk and the next ones.
   */
  add(chunk: Buffer): Buffer {
    if (chunk.length === 0) return chunk;
    this.#bytes += chunk.length;
    if (!this.isLarge) {
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
    if (this.#holders !== 0 || !this.isLarge) return;
    const uncopied = this.#uncopied.map(({ buffer }) => buffer).filter(isOwn);
    freeArrayBuffers([...new Set([...uncopied, ...this.#copied])]);
    this.#pool.release(this.#pooled);
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
   * array buffer arrive in a row, so only the last uncopied chunk can be in this one too.
   */
  #freeLater({ buffer }: Buffer): void {
    if (!isOwn(buffer) || this.#copied.at(-1) === buffer || this.#uncopied.at(-1)?.buffer === buffer) return;
    if (this.#copiedBytes >= groupBytes) {
      freeArrayBuffers(this.#copied);
      this.#copied = [];
      this.#copiedBytes = 0;
    }
    this.#copied.push(buffer);
    this.#copiedBytes += buffer.byteLength;
  }
}

function isOwn(buffer: ArrayBufferLike): buffer is ArrayBuffer {
  return buffer instanceof ArrayBuffer && buffer.byteLength >= ownBytesMin;
}
