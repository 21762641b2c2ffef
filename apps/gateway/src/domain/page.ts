/** Which part of a long list is wanted. */
export interface PageRequest {
  readonly limit: number;
  /** Where the page before ended; opaque to callers. One that was not given out is an `invalid_value` of `cursor`. */
  readonly cursor?: string;
}

/** A part of a long list, and where the next one begins; absent where there is none. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}
