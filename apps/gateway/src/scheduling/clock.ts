/** Time, as the scheduler sees it. Tests bring their own. */
export interface Clock {
  /** Milliseconds that only go forward. */
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}
