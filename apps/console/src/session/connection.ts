import { tabVisibility, untilSeen } from "./visibility.js";

/** Whether the gateway is reachable. */
export interface ConnectionState {
  readonly isUnreachable: boolean;
  /** Time of the next attempt, in milliseconds since 1970. */
  readonly nextTryAt: number;
}

const pausesMs = [1000, 2000, 5000, 10_000, 30_000];

/** Notes network failures, and retries with growing pauses until the gateway is back. */
export class Connection {
  #state: ConnectionState = { isUnreachable: false, nextTryAt: 0 };
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  /**
   * @param isThere Calls the gateway; rejects while it is unreachable.
   * @param onBack Reloads failed queries.
   */
  constructor(
    private readonly isThere: () => Promise<unknown>,
    private readonly onBack: () => void,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): ConnectionState => this.#state;

  markUnreachable(): void {
    if (!this.#state.isUnreachable) this.#wait();
  }

  readonly tryNow = async (): Promise<void> => {
    clearTimeout(this.#timer);
    try {
      await this.isThere();
    } catch {
      this.#wait();
      return;
    }
    this.#tries = 0;
    this.#change({ isUnreachable: false, nextTryAt: 0 });
    this.onBack();
  };

  #wait(): void {
    const pauseMs = pausesMs[Math.min(this.#tries, pausesMs.length - 1)] ?? 0;
    this.#tries += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void untilSeen(tabVisibility).then(this.tryNow), pauseMs);
    this.#change({ isUnreachable: true, nextTryAt: Date.now() + pauseMs });
  }

  #change(state: ConnectionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
