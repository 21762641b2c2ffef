import { type GatewayEvent, GatewayRequestError } from "@model-gateway/client";
import type { Pause } from "./pause.js";
import { untilSeen, type Visibility } from "./visibility.js";

export interface LiveEventsOptions {
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<GatewayEvent>>;
  readonly onEvent: (event: GatewayEvent) => void;
  /** Events may have been missed while the stream was down. */
  readonly onMissed: () => void;
  /** The gateway has ended the session. */
  readonly onExpired: () => void;
  readonly visibility: Visibility;
  readonly pause: Pause;
}

const pausesMs = [1000, 2000, 5000, 10_000, 30_000];

/**
 * Follows the events of the gateway while the tab is seen, and connects again with growing pauses. While the stream is
 * down, pages ask at intervals instead.
 */
export class LiveEvents {
  readonly #options: LiveEventsOptions;
  readonly #listeners = new Set<() => void>();
  #isFollowing = false;
  #hasFollowed = false;

  constructor(options: LiveEventsOptions) {
    this.#options = options;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether events arrive now. */
  readonly read = (): boolean => this.#isFollowing;

  /** @returns Ends it. */
  start(): () => void {
    const stop = new AbortController();
    void this.#follow(stop.signal);
    return () => stop.abort();
  }

  async #follow(stop: AbortSignal): Promise<void> {
    const { visibility, pause, onExpired } = this.#options;
    for (let failures = 0; !stop.aborted; ) {
      await untilSeen(visibility, stop);
      if (stop.aborted) return;
      const { hasStarted, isOver } = await this.#readStream(stop);
      if (isOver && !stop.aborted) return onExpired();
      if (hasStarted) failures = 0;
      // A stream that was left because the tab is hidden is opened again as soon as the tab is seen.
      if (!visibility.isHidden()) await pause(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0, stop);
      failures += 1;
    }
  }

  /** Reads one stream to its end, or until the tab is hidden. */
  async #readStream(stop: AbortSignal): Promise<{ readonly hasStarted: boolean; readonly isOver: boolean }> {
    const { open, onEvent, visibility } = this.#options;
    const leave = new AbortController();
    const onStop = () => leave.abort();
    stop.addEventListener("abort", onStop);
    const unsubscribe = visibility.subscribe(() => {
      if (visibility.isHidden()) leave.abort();
    });
    let hasStarted = false;
    try {
      for await (const event of await open(leave.signal)) {
        if (leave.signal.aborted) break;
        if (event.type === "stream.started") {
          hasStarted = true;
          this.#begin();
        } else onEvent(event);
      }
      return { hasStarted, isOver: false };
    } catch (error) {
      return { hasStarted, isOver: error instanceof GatewayRequestError && error.code === "invalid_api_key" };
    } finally {
      leave.abort();
      stop.removeEventListener("abort", onStop);
      unsubscribe();
      this.#change(false);
    }
  }

  #begin(): void {
    // The page loaded fresh data at its start, so the first stream has missed nothing.
    if (this.#hasFollowed) this.#options.onMissed();
    this.#hasFollowed = true;
    this.#change(true);
  }

  #change(isFollowing: boolean): void {
    if (this.#isFollowing === isFollowing) return;
    this.#isFollowing = isFollowing;
    for (const listener of this.#listeners) listener();
  }
}
