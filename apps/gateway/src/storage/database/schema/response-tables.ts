import { ownerDigits } from "@model-gateway/domain/scope-id";
import { compressed, defineTable, integer, primaryKey, text } from "../define-table.js";

/** Responses that are stored under their Idempotency-Key. */
export const responseTables = {
  stored_responses: defineTable(
    {
      id: primaryKey(text()),
      written_at: integer(),
      bytes: integer(),
      /** JSON with images: it can hold tens of megabytes. */
      content: compressed(text()),
    },
    {
      indexes: {
        by_time: "(written_at, id, bytes)",
        by_owner: `(substr(id, 1, ${ownerDigits}), written_at, id, bytes) where bytes > 0`,
      },
    },
  ),

  /** The bytes of the responses of each caller that has any: who holds the most is asked when there are too many. */
  response_holders: defineTable({
    /** The first digits of the ids of its responses. */
    owner: primaryKey(text()),
    bytes: integer(),
  }),
};
