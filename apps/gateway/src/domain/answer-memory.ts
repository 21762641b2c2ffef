/**
 * The memory in which a large answer came, and how many requests still need it. The last of them gives it back at once.
 * Left to V8, such memory costs a collection of the whole heap for every 64 MB, which is an answer or two; whoever
 * forgets to let go of it only leaves it to that.
 */
export class AnswerMemory {
  readonly #chunks: readonly Buffer[];
  #holders = 0;

  /** @param chunks As they came from a socket: what is large of their memory has nothing else in it. */
  constructor(chunks: readonly Buffer[]) {
    this.#chunks = chunks;
  }

  hold(): void {
    this.#holders += 1;
  }

  letGo(): void {
    this.#holders -= 1;
    if (this.#holders === 0) giveBack(this.#chunks);
  }
}

/** Nobody is at the other end: what is sent there is taken out of the sender's hands, and is gone. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/**
 * Small memory may be shared: Node keeps several buffers in one piece of it, undici has an empty one for all. Chunks of
 * TLS are in 16 KB each.
 */
const ownBytesMin = 16 * 1024;

/** Whatever still looks at the chunks finds them empty. */
function giveBack(chunks: readonly Buffer[]): void {
  const own = new Set<ArrayBuffer>();
  for (const { buffer } of chunks) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength >= ownBytesMin) own.add(buffer);
  }
  try {
    nowhere.postMessage(undefined, [...own]);
  } catch {
    // What can not be sent is left to V8, as everything else is.
  }
}
