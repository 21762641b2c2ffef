import type { Clock } from "@model-gateway/runtime/clock";
import { SharedPool } from "@model-gateway/runtime/shared-pool";
import type { Job } from "./job.js";
import type { JobStore } from "./job-store.js";

interface JobWaitsOptions {
  readonly store: Pick<JobStore, "endedAmong">;
  readonly clock: Clock;
  readonly onFailure: (failure: unknown) => void;
  /** Interval of looks at jobs that other processes run. */
  readonly pollMs?: number;
  /** More waiting requests than this do not wait. Each key has a share. */
  readonly waitersMax?: number;
}

const defaultPollMs = 500;
const defaultWaitersMax = 1000;

/** Requests that wait for the end of a job. All of them share one look at the store at a time. */
export class JobWaits {
  readonly #options: JobWaitsOptions;
  /** By the id of the job. */
  readonly #waiters = new Map<string, Set<() => void>>();
  readonly #places: SharedPool;
  #isPolling = false;
  #isClosed = false;

  constructor(options: JobWaitsOptions) {
    this.#options = options;
    this.#places = new SharedPool(options.waitersMax ?? defaultWaitersMax);
  }

  /** Resolves when the job has ended, after the time, or when the signal aborts. */
  async until(
    { id, keyId }: Pick<Job, "id" | "keyId">,
    { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<void> {
    if (ms <= 0 || signal.aborted || this.#isClosed || !this.#places.take(keyId, 1)) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        if (!this.#remove(id, end)) return;
        this.#places.giveBack(keyId, 1);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
      this.#add(id, end);
    });
  }

  /** A job of this process has ended. */
  notify(id: string): void {
    for (const end of [...(this.#waiters.get(id) ?? [])]) end();
  }

  /** Ends all waits, for a stop. */
  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#waiters.keys()]) this.notify(id);
  }

  #add(id: string, end: () => void): void {
    const waiters = this.#waiters.get(id) ?? new Set();
    this.#waiters.set(id, waiters.add(end));
    if (!this.#isPolling) void this.#poll();
  }

  #remove(id: string, end: () => void): boolean {
    const waiters = this.#waiters.get(id);
    if (waiters?.delete(end) !== true) return false;
    if (waiters.size === 0) this.#waiters.delete(id);
    return true;
  }

  async #poll(): Promise<void> {
    const { store, clock, onFailure, pollMs = defaultPollMs } = this.#options;
    this.#isPolling = true;
    while (this.#waiters.size > 0) {
      await clock.wait(pollMs, never);
      try {
        for (const id of await store.endedAmong([...this.#waiters.keys()])) this.notify(id);
      } catch (failure) {
        onFailure(failure);
      }
    }
    this.#isPolling = false;
  }
}

const never = new AbortController().signal;
