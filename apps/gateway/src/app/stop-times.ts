import type { ResourceLimits } from "@model-gateway/config/config";

/** When each step of a stop happens, in milliseconds after the signal. All of them are within `limits.stopMs`. */
export interface StopTimes {
  /** Until then new connections are served. A connection without a request for this long is closed. */
  readonly delayMs: number;
  /** Then unfinished requests lose their connections. The remaining time is for closing. */
  readonly cutMs: number;
  /** Then a process exits, even if its storage is not closed. */
  readonly exitMs: number;
  /** Then the supervisor kills workers that have not exited. */
  readonly killMs: number;
}

export function stopTimes({
  stopMs,
  stopDelayMs,
}: Pick<ResourceLimits, "stopMs" | "stopDelayMs">): StopTimes {
  return {
    delayMs: Math.min(stopDelayMs, stopMs * 0.5),
    cutMs: stopMs * 0.8,
    exitMs: stopMs * 0.9,
    killMs: stopMs * 0.95,
  };
}
