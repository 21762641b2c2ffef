import { hash } from "node:crypto";

export const width = 1536;
export const inputsPerLookup = 100;

/** What a process of the benchmark does with the cache in a folder. */
export interface CacheJob {
  readonly task: "fill" | "read";
  readonly folder: string;
  readonly vectors: number;
}

export interface FillReport {
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

/** A new process that looks vectors up which another has written. */
export interface ReadReport {
  /** Until the first vector can be read. */
  readonly openMs: number;
  /** What the process has read from files by then, its own code included, and what it reads without a cache. */
  readonly openedBytes: number;
  readonly ownBytes: number;
  readonly hits: LookupFigures;
  readonly misses: LookupFigures;
  readonly single: LookupFigures;
  readonly residentBytes: { readonly start: number; readonly end: number };
}

export interface LookupFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all threads of the process, for one lookup. */
  readonly cpuMs: number;
}

export function keyOf(number: number): string {
  return hash("sha256", String(number), "base64url");
}

/** Numbers that differ from vector to vector and from place to place. */
export function vectorOf(number: number): Float32Array {
  const floats = new Float32Array(width);
  for (let index = 0; index < width; index += 1) floats[index] = ((number * 31 + index * 17) % 9973) / 9973;
  return floats;
}
