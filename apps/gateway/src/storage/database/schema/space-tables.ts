import { bytes, defineTable, integer, nullable, primaryKey, real, text } from "../define-table.js";

/** The checks of vector spaces. */
export const spaceTables = {
  /** A vector space, as the configuration describes it. */
  vector_spaces: defineTable({
    id: primaryKey(text()),
    /** Number of accepted changes of vectors. */
    accepted: integer(),
  }),

  /** The vectors that the targets of a space are compared with. */
  space_references: defineTable(
    {
      space: text(),
      /** Empty instead of null, as part of the primary key. */
      input_type: text(),
      /** That of the texts and images. */
      texts_version: integer(),
      width: integer(),
      recorded_at: integer(),
      /** The vectors of all texts, one after the other: 32-bit floats, little-endian. */
      vectors: bytes(),
      /** The same of all images, from the first target that takes them. Null before. */
      image_vectors: nullable(bytes()),
    },
    { primaryKey: ["space", "input_type", "texts_version"] },
  ),

  /** The latest vectors of a target, and how far they are from the reference. */
  space_checks: defineTable(
    {
      space: text(),
      upstream: text(),
      model: text(),
      checked_at: integer(),
      input_type: text(),
      texts_version: integer(),
      width: integer(),
      /** Null where there is no reference. */
      cosine_min: nullable(real()),
      image_cosine_min: nullable(real()),
      vectors: bytes(),
      /** Null for a target that takes no images. */
      image_vectors: nullable(bytes()),
    },
    { primaryKey: ["space", "upstream", "model"] },
  ),

  /** The last comparison of a model's targets. */
  space_comparisons: defineTable({
    model: primaryKey(text()),
    compared_at: integer(),
    /** JSON. */
    result: text(),
  }),
};
