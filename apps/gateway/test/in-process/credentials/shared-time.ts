import { FakeClock } from "@model-gateway/runtime/test/clocks";

/** A time that the test moves, for the gateway's credentials and for the servers that issue and check them. */
export class SharedTime {
  readonly clock = new FakeClock();
  readonly #startedAt = Date.now() - this.clock.now();

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#startedAt + this.clock.now();

  advance(ms: number): void {
    this.clock.advance(ms);
  }
}
