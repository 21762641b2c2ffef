import type { KeyAdmin } from "../../keys/key-admin.js";

/** What the operations on keys need. */
export interface KeyHandlerNeeds {
  readonly keys: KeyAdmin;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
