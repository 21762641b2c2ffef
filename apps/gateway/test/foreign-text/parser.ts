import type { TextKind } from "./fuzz/words.js";
import type { Shapes } from "./shapes.js";

/** A way in for foreign bytes, as tests call it. Each is named by a row of `test/registers/foreign-text.ts`. */
export interface Parser {
  /** The kind of text. */
  readonly name: string;
  /**
   * Reads it as the gateway does. A refusal is an answer like any other.
   *
   * @param chunkBytes The length of the chunks in which it arrives, or of the parts in which it is read. The outcome must
   *   not depend on it.
   */
  readonly read: (bytes: Buffer, chunkBytes?: number) => unknown;
  /** The most bytes that can come, if those are less than a megabyte. */
  readonly bytesMax?: number;
  /** Its worst megabytes. */
  readonly shapes: Shapes;
  /** Valid ones, which a fuzzer changes. */
  readonly samples: readonly (string | Buffer)[];
  /** The words that a fuzzer inserts. */
  readonly kind: TextKind;
  /** The errors that it may throw. Any other one is a fault. */
  readonly refusals: readonly (abstract new (
    ...values: never[]
  ) => Error)[];
  /** Whether a text with two faults may be refused for either of them, depending on its chunks. */
  readonly namesAnyFault?: true;
  /** Throws where a value is not what a simple reader finds, or what a writer has written. */
  readonly check?: (bytes: Buffer, value: unknown) => void | Promise<void>;
}
