import { BufferPool, freeArrayBuffers, pooledBytes } from "./buffer-pool.js";

/** What comes first of an answer stays where it is: the memory of a small one is gone with the young objects around it. */
const smallBytesMax = 256 * 1024;

/** Chunks that were copied are freed in groups, because each time costs something. */
const groupBytes = 1024 * 1024;

/**
 * Small memory may be shared: Node keeps several buffers in one piece of it, undici has an empty one for all. Chunks of
 * TLS are in 16 KB each.
 */
const ownBytesMin = 16 * 1024;

/** One for the process, like its memory: whatever is used again anywhere need not be new. */
const processSlabs = new BufferPool();

/**
 * The memory that an answer is in, and how many requests still need it. The last of them gives it back at once. Left to
 * V8, that of large answers costs collections of the whole heap; whoever forgets to let go of it only leaves it to that.
 */
export class ReplyBuffers {
  readonly #available: BufferPool;
  /** Chunks that stayed where they are. */
  readonly #stayed: Buffer[] = [];
  readonly #slabs: ArrayBuffer[] = [];
  /** How much of the last slab is taken. */
  #slabEnd = pooledBytes;
  /** The memory of chunks that were copied, until it is freed. */
  #left: ArrayBuffer[] = [];
  #leftBytes = 0;
  #bytes = 0;
  #holders = 0;

  constructor(available = processSlabs) {
    this.#available = available;
  }

  /** Whether it is worth giving back. */
  get isLarge(): boolean {
    return this.#bytes > smallBytesMax;
  }

  /**
   * Takes a chunk in, and gives the place where it is from now on.
   *
   * @param chunk As it came from a socket: what is large of its memory has nothing in it but this and what follows.
   */
  add(chunk: Buffer): Buffer {
    if (chunk.length === 0) return chunk;
    this.#bytes += chunk.length;
    if (!this.isLarge) {
      this.#stayed.push(chunk);
      return chunk;
    }
    const copy = this.#place(chunk.length);
    copy.set(chunk);
    this.#leave(chunk);
    return copy;
  }

  retain(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders !== 0) return;
    const stayed = this.#stayed.map(({ buffer }) => buffer).filter(isOwn);
    freeArrayBuffers([...new Set([...stayed, ...this.#left])]);
    this.#available.release(this.#slabs);
  }

  #place(bytes: number): Buffer {
    // No socket gives so much at once.
    if (bytes > pooledBytes) return Buffer.from(new ArrayBuffer(bytes));
    if (this.#slabEnd + bytes > pooledBytes) {
      this.#slabs.push(this.#available.take());
      this.#slabEnd = 0;
    }
    const start = this.#slabEnd;
    this.#slabEnd += bytes;
    return Buffer.from(this.#slabs.at(-1) as ArrayBuffer, start, bytes);
  }

  /**
   * Whoever gave the chunk may still look at what follows in the same memory; when another comes, nobody does. What is in
   * one piece of memory comes in a row, so that only the last that stayed can be in this one too.
   */
  #leave({ buffer }: Buffer): void {
    if (!isOwn(buffer) || this.#left.at(-1) === buffer || this.#stayed.at(-1)?.buffer === buffer) return;
    if (this.#leftBytes >= groupBytes) {
      freeArrayBuffers(this.#left);
      this.#left = [];
      this.#leftBytes = 0;
    }
    this.#left.push(buffer);
    this.#leftBytes += buffer.byteLength;
  }
}

function isOwn(buffer: ArrayBufferLike): buffer is ArrayBuffer {
  return buffer instanceof ArrayBuffer && buffer.byteLength >= ownBytesMin;
}
