export const pooledBytes = 1024 * 1024;

/** So many lie ready, which is one answer of the largest kind, and so long after the last of them was needed. */
const idleMax = 64;
const idleMs = 60_000;

/**
 * Memory for large answers, which is used again. V8 counts what is allocated outside its heap, and collects the whole
 * heap when enough has come together: for every such answer, were its memory new.
 */
export class BufferPool {
  #idle: ArrayBuffer[] = [];
  #timer: NodeJS.Timeout | undefined;

  take(): ArrayBuffer {
    this.#timer?.refresh();
    return this.#idle.pop() ?? new ArrayBuffer(pooledBytes);
  }

  /**
   * Whatever still looks at them finds them empty: the memory goes on as that of other slabs. One that is empty already was
   * given back before.
   */
  release(given: readonly ArrayBuffer[]): void {
    const slabs = given.filter(({ byteLength }) => byteLength === pooledBytes);
    const kept = slabs.slice(0, idleMax - this.#idle.length);
    // One by one: V8 would take all of them in one go for that much memory freed, and as much new.
    for (const slab of kept) this.#idle.push(structuredClone(slab, { transfer: [slab] }));
    freeArrayBuffers(slabs.slice(kept.length));
    this.#timer ??= setTimeout(() => this.#freeIdle(), idleMs).unref();
    this.#timer.refresh();
  }

  #freeIdle(): void {
    freeArrayBuffers(this.#idle);
    this.#idle = [];
    this.#timer = undefined;
  }
}

/** Nobody is at the other end: what is sent there is taken out of the sender's hands, and is gone. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/** Frees memory at once, without V8 having to look for it. Whatever still looks at it finds it empty. */
export function freeArrayBuffers(buffers: readonly ArrayBuffer[]): void {
  try {
    nowhere.postMessage(undefined, buffers);
  } catch {
    // Where one of them cannot be sent, all are left to V8.
  }
}
