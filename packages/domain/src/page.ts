/** Asks for one page of a list. */
export interface PageRequest {
  readonly limit: number;
  /** The `nextCursor` of the previous page. It is opaque to callers; any other text is an `invalid_value` of `cursor`. */
  readonly cursor?: string;
}

/** One page of a list. The last page has no `nextCursor`. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}
