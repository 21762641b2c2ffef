import { Lines } from "@model-gateway/runtime/lines";

/** Requests that begin in one turn of the event loop. Each takes some 30 µs before it waits for something. */
const perTurn = 32;

/**
 * Requests that wait for their turn, in one line for each caller or client address. The lines take turns, however many
 * requests are in each.
 */
export class RequestLine<T> {
  readonly #begin: (request: T) => boolean;
  readonly #nextTurn: () => Promise<void>;
  readonly #lines = new Lines<T>();
  #isMoving = false;

  /**
   * @param begin Returns false for a request that is not needed any more. Must not throw.
   * @param nextTurn Resolves in the next turn that has time for these requests.
   */
  constructor(begin: (request: T) => boolean, nextTurn: () => Promise<void>) {
    this.#begin = begin;
    this.#nextTurn = nextTurn;
  }

  add(key: string, request: T): void {
    this.#lines.add(key, request);
    if (!this.#isMoving) void this.#move();
  }

  async #move(): Promise<void> {
    this.#isMoving = true;
    while (!this.#lines.isEmpty) {
      await this.#nextTurn();
      for (let left = perTurn; left > 0; ) {
        const request = this.#lines.take();
        if (request === undefined) break;
        if (this.#begin(request)) left -= 1;
      }
    }
    this.#isMoving = false;
  }
}
