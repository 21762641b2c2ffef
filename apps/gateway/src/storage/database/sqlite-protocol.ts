/** What a thread is told when it starts. */
export interface SqliteThreadData {
  readonly file: string;
  readonly pragmas: readonly string[];
}

/** What a statement can be given. The driver ends the whole process when it meets anything else. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

export interface SqliteStatement {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly SqliteValue[];
}

export type SqliteRequest = SqliteStatement | "close";

export type SqliteReply =
  | {
      readonly id: number;
      readonly rows: Record<string, unknown>[];
      readonly changes: number;
      /** Whether a row has bytes in it; they arrive as array buffers. */
      readonly hasBytes: boolean;
    }
  | { readonly id: number; readonly failure: { readonly message: string; readonly code: string } };
