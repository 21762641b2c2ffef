import type { Clock } from "@model-gateway/runtime/clock";

/** One timer for everything that waits: it fires at the earliest requested time. */
export class WakeTimer {
  readonly #clock: Clock;
  readonly #onWake: () => void;
  #armed: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(clock: Clock, onWake: () => void) {
    this.#clock = clock;
    this.#onWake = onWake;
  }

  /** @param ms Nothing happens where it is infinite: then the end of a call is waited for. */
  wakeIn(ms: number): void {
    if (!Number.isFinite(ms)) return;
    // An immediate wake would find the same state as this caller.
    const afterMs = Math.max(1, ms);
    const at = this.#clock.now() + afterMs;
    if (this.#armed !== undefined && this.#armed.at <= at) return;
    this.stop();
    const armed = { at, controller: new AbortController() };
    this.#armed = armed;
    void this.#clock.wait(afterMs, armed.controller.signal).then(
      () => {
        if (this.#armed === armed) this.#armed = undefined;
        this.#onWake();
      },
      () => undefined,
    );
  }

  stop(): void {
    this.#armed?.controller.abort();
    this.#armed = undefined;
  }
}
