import type { Priority } from "@model-gateway/domain/access-key";
import type { StoredSession } from "../../../sessions/session-store.js";
import { bytes, defineTable, integer, nullable, primaryKey, text, unique } from "../define-table.js";

/** Keys and sessions, and what they share with all replicas. */
export const accessTables = {
  settings: defineTable({ name: primaryKey(text()), value: text() }),

  /**
   * Counters that are changed inside a transaction, so that their order is the order of the commits. That of
   * `stored_responses` is the number of their bytes.
   */
  revisions: defineTable(
    { name: primaryKey(text<"access_keys" | "stored_responses" | "files">()), value: integer() },
    {
      rows: [
        { name: "access_keys", value: 0 },
        { name: "stored_responses", value: 0 },
        { name: "files", value: 0 },
      ],
    },
  ),

  access_keys: defineTable(
    {
      id: primaryKey(text()),
      /** Increases with every change of any key. */
      revision: integer(),
      digest: unique(bytes()),
      last_four: text(),
      name: text(),
      owner: nullable(text()),
      /** `models`, `limits` and `budget` are JSON. */
      models: nullable(text()),
      limits: text(),
      budget: nullable(text()),
      priority: text<Priority>(),
      expires_at: nullable(integer()),
      is_disabled: integer(),
      created_at: integer(),
      revoked_at: nullable(integer()),
      last_used_at: nullable(integer()),
      /** JSON; null if there are none. */
      old_secrets: nullable(text()),
    },
    { indexes: { by_revision: "(revision)", by_time: "(created_at, id)" } },
  ),

  /** Finds the key of an earlier secret. The row of the key says whether the secret works. */
  old_secrets: defineTable(
    { digest: primaryKey(bytes()), key_id: text() },
    { indexes: { by_key: "(key_id)" } },
  ),

  sessions: defineTable(
    {
      id: primaryKey(text()),
      digest: unique(bytes()),
      kind: text<StoredSession["kind"]>(),
      /** A key's id, or a mark for the admin key. */
      granted_by: text(),
      created_at: integer(),
      expires_at: integer(),
    },
    { indexes: { by_grant: "(granted_by, created_at, id)", by_expiry: "(expires_at)" } },
  ),
};
