/** Time, as the ledger sees it. Rows outlive the process, so that it is the time of day. */
export interface LedgerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}
