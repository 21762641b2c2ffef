/** Time. One clock of the process only goes forward, for deadlines; the other is the time of day. Tests bring their own. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}
