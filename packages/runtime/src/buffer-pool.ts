import { MessageChannel } from "node:worker_threads";
import { every, type Repetition } from "./every.js";

/** The size of a pooled buffer. */
export const pooledBytes = 1024 * 1024;

/** Enough for one reply of the largest kind: 2,048 vectors in JSON. */
const idleMaxOfReplies = 64;
/** Idle buffers are freed this long after the pool was last used. */
const idleMs = 30_000;
/**
 * Idle buffers beyond the limit are freed when they were not used for this long. Large replies that end together would
 * otherwise free what the next ones allocate again. The pool never has more buffers than were in use at once.
 */
const surplusMs = 5000;

/**
 * Buffers for large replies and for uploads, used again and again. V8 counts memory outside its heap and collects the whole heap when
 * enough was allocated: with new memory, once for every large reply.
 */
export class BufferPool {
  readonly #idleMax: number;
  #idle: ArrayBuffer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #surplusCheck: Repetition | undefined;
  /** The fewest idle buffers since the surplus was last freed: so many were not used. */
  #idleMin = 0;
  /** The memory of small replies, until it is freed. */
  readonly #small = new CopiedChunks();

  /** @param idleMax How many buffers may wait for their next use for 30 seconds. */
  constructor(idleMax = idleMaxOfReplies) {
    this.#idleMax = idleMax;
  }

  take(): ArrayBuffer {
    this.#timer?.refresh();
    const buffer = this.#idle.pop() ?? new ArrayBuffer(pooledBytes);
    this.#idleMin = Math.min(this.#idleMin, this.#idle.length);
    return buffer;
  }

  /**
   * Takes buffers back. Each is detached: its memory moves to another ArrayBuffer, and the old one is empty for every
   * holder. A buffer that is empty already was released before, and is skipped.
   */
  release(released: readonly ArrayBuffer[]): void {
    const buffers = released.filter(({ byteLength }) => byteLength === pooledBytes);
    // One at a time: V8 counts a transfer of all at once as new memory, and collects.
    for (const buffer of buffers) this.#idle.push(structuredClone(buffer, { transfer: [buffer] }));
    if (this.#idle.length > this.#idleMax)
      this.#surplusCheck ??= every(surplusMs, () => this.#freeSurplus(), { task: "free_buffers" });
    this.#timer ??= setTimeout(() => this.#freeIdle(), idleMs).unref();
    this.#timer.refresh();
  }

  /** Frees the memory of a small reply, together with that of the next ones. */
  freeInGroups(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers) this.#small.add(buffer);
  }

  #freeSurplus(): void {
    const surplus = Math.min(this.#idleMin, this.#idle.length - this.#idleMax);
    if (surplus > 0) freeArrayBuffers(this.#idle.splice(0, surplus));
    this.#idleMin = this.#idle.length;
    if (this.#idle.length > this.#idleMax) return;
    void this.#surplusCheck?.stop();
    this.#surplusCheck = undefined;
  }

  #freeIdle(): void {
    freeArrayBuffers(this.#idle);
    this.#idle = [];
    this.#idleMin = 0;
    this.#timer = undefined;
  }
}

/** The memory of smaller chunks may be shared. A TLS chunk has 16 KB. */
export const ownBytesMin = 16 * 1024;
/** Chunks are freed in groups, since each call that frees memory has a fixed cost. */
const groupBytes = 1024 * 1024;

/**
 * The memory of a chunk from a socket or a decoder; undefined if other buffers may be in it. The memory that Node cuts
 * small buffers from is larger since Node 24, but Node does not let it be transferred.
 */
export function ownMemory({ buffer }: Buffer): ArrayBuffer | undefined {
  return buffer instanceof ArrayBuffer && buffer.byteLength >= ownBytesMin ? buffer : undefined;
}

/**
 * The memory of chunks that were copied. It is freed when some more were: who has passed on the last chunk may not be
 * done with it.
 */
export class CopiedChunks {
  #buffers: ArrayBuffer[] = [];
  #bytes = 0;

  get buffers(): readonly ArrayBuffer[] {
    return this.#buffers;
  }

  /**
   * Adds a chunk of a request body. Only one that fills its array buffer: the first and the last chunk of a body may
   * share theirs with the requests before and after it on the connection.
   */
  addBodyChunk(chunk: Buffer): void {
    const memory = ownMemory(chunk);
    if (memory?.byteLength === chunk.byteLength) this.add(memory);
  }

  add(buffer: ArrayBuffer): void {
    // Chunks of one array buffer come in a row.
    if (this.#buffers.at(-1) === buffer) return;
    if (this.#bytes >= groupBytes) {
      freeArrayBuffers(this.#buffers);
      this.#buffers = [];
      this.#bytes = 0;
    }
    this.#buffers.push(buffer);
    this.#bytes += buffer.byteLength;
  }
}

/** A closed port: a buffer that is transferred to it is detached from its sender, and freed. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/** Frees memory at once, without a garbage collection. The buffers are empty for every holder. */
export function freeArrayBuffers(buffers: readonly ArrayBuffer[]): void {
  try {
    nowhere.postMessage(undefined, buffers);
  } catch {
    // One of them cannot be transferred, so all are left to the garbage collector.
  }
}
