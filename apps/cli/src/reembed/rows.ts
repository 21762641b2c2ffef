/** The id of a row: a text, or a number where the store has numbers. */
export type RowId = string | number;

/** A place in a source, from which it can go on. It is kept as JSON. */
export type Place = string | number | null;

/** A text to embed. */
export interface Row {
  readonly id: RowId;
  /** `null` if the row has none, so that it is skipped. */
  readonly text: string | null;
  /** The place after this row. `null` after the last one. */
  readonly next: Place;
}

/** Texts, in an order that stays the same. They are read in pages as they are needed. */
export interface RowSource {
  /** The rows from a place on. Undefined: from the beginning. */
  rows(from: Place | undefined): AsyncGenerator<Row, void, undefined>;
}

/** A new vector. */
export interface EmbeddedRow {
  readonly id: RowId;
  readonly embedding: Float32Array;
}

/** The vectors' space, as responses name it. */
export interface Space {
  readonly id: string;
  readonly dimensions: number;
}

/** A place for new vectors. Writing the same rows again changes nothing. */
export interface VectorSink {
  /** Checks the place, and creates what is missing. Returns sentences about what it created. */
  prepare(space: Space): Promise<readonly string[]>;
  /** Stores vectors. Returns how many rows there were for them: others are gone from the store. */
  write(rows: readonly EmbeddedRow[], space: Space): Promise<number>;
  /** The position to go on from after this point, for a sink that appends. Else `null`. */
  checkpoint(): Promise<number | null>;
  close(): Promise<void>;
}

/** The nearest rows of some rows, by the old and by the new vectors. */
export interface Neighbours {
  readonly id: RowId;
  /** Nearest first, without the row itself. */
  readonly old: readonly RowId[];
  readonly new: readonly RowId[];
}

export interface Comparison {
  /** The names of both, for people. */
  readonly between: readonly [string, string];
  /** The rows that can be compared. `null` if that is not counted. */
  readonly total: number | null;
  readonly sample: readonly Neighbours[];
}

/** A store of texts and vectors. */
export interface Store extends RowSource {
  readonly name: string;
  /** Opens the place for new vectors. `position` is that of the last checkpoint. */
  sink(position: number | null): VectorSink;
  /** Finds the neighbours of a sample, by the old and by the new vectors. */
  compare(queries: number): Promise<Comparison>;
  close(): Promise<void>;
}

/** How many neighbours count. */
export const neighboursMax = 10;
