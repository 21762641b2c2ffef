/** The source of time. The process has a monotonic clock for deadlines and one for the time of day; tests pass fakes. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}
