import { randomFillSync } from "node:crypto";

const randomBytes = 10;
const idsPerFill = 128;

/**
 * Creates unique request ids. An id begins with the time, so that new rows are neighbours in the ledger's index: at
 * random positions, each row would cost the database a separate page. Random bytes are drawn for many ids at a time,
 * since drawing the bytes of one id costs as much as drawing those of a hundred.
 */
export class RequestIds {
  readonly #random = Buffer.allocUnsafe(randomBytes * idsPerFill);
  #used = this.#random.length;
  #lastMs = 0;
  #lastTime = "";

  next(): string {
    if (this.#used === this.#random.length) {
      randomFillSync(this.#random);
      this.#used = 0;
    }
    this.#used += randomBytes;
    return `req_${this.#time()}${this.#random.toString("hex", this.#used - randomBytes, this.#used)}`;
  }

  #time(): string {
    const now = Date.now();
    if (now !== this.#lastMs) {
      this.#lastMs = now;
      this.#lastTime = now.toString(16).padStart(12, "0");
    }
    return this.#lastTime;
  }
}
