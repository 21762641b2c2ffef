const smallBytesMax = 1024;
const blockBytes = 16 * 1024;
/** Most replies have fewer small chunks. The first ones are not copied. */
const uncopiedMax = 64;

/**
 * The chunks of an arriving value. Small ones are copied into blocks: a list of 1-byte chunks takes more than a hundred
 * bytes for each, and keeps alive the data that was read with them.
 */
export class ChunkList {
  readonly chunks: Buffer[] = [];
  bytes = 0;
  #block: Buffer | undefined;
  /** Bounds of the last chunk in the block, if it is the last chunk. */
  #start = 0;
  #end = 0;

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (chunk.length >= smallBytesMax || this.chunks.length < uncopiedMax) {
      this.chunks.push(chunk);
      // The next chunk is not its continuation.
      this.#start = this.#end;
      return;
    }
    if (this.#block === undefined || this.#end + chunk.length > blockBytes) {
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#start = 0;
      this.#end = 0;
    }
    const isNew = this.#start === this.#end;
    this.#block.set(chunk, this.#end);
    this.#end += chunk.length;
    const joined = this.#block.subarray(this.#start, this.#end);
    if (isNew) this.chunks.push(joined);
    else this.chunks[this.chunks.length - 1] = joined;
  }
}
