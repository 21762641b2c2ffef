/** The calls of one window. Each is a list of texts, and the next one begins when the last one has ended. */
export type Calls = readonly (readonly string[])[];

/** One window of one contender. */
export interface LocalWindow {
  readonly elapsedMs: number;
  /** CPU time of all threads of the process. Only Linux provides that of another process. */
  readonly cpuMs: number | undefined;
  /** The part of the elapsed time in which texts were split into tokens, if it is known. */
  readonly tokeniseMs?: number;
  /** The vectors of all calls, in the order of the texts. */
  readonly vectors: readonly Float32Array[];
}

/** Latencies of single texts, in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
