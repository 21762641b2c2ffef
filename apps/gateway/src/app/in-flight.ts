import type { Arrival } from "../execution/request-context.js";
import type { ActiveRequests } from "./active-requests.js";

/** Counts the requests in flight on a pipeline, and drains them before it is closed. */
export class InFlight {
  readonly #active: ActiveRequests<Arrival>;
  #count = 0;
  #onEmpty: (() => void) | undefined;

  /** @param active The requests in flight on all pipelines. */
  constructor(active: ActiveRequests<Arrival>) {
    this.#active = active;
  }

  begin(request: Arrival): void {
    this.#count += 1;
    this.#active.begin(request);
  }

  /** Work for a request goes on. */
  note(request: Arrival): void {
    this.#active.note(request);
  }

  /** An image that other callers wait for is in flight until it is finished, even when its own caller has left. */
  end(request: Arrival): void {
    this.#active.end(request);
    this.#count -= 1;
    if (this.#count === 0) this.#onEmpty?.();
  }

  /** Resolves when the last request is finished. No new one may begin. */
  async drain(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
