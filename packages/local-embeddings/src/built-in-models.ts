/** A built-in model. */
export interface EmbeddingModelDescription {
  readonly id: string;
  readonly description: string;
  readonly dimensions: number;
  /** Including special tokens. */
  readonly maxTokens: number;
  /** SPDX identifier of the weights. */
  readonly licence: string;
  /** Folder name below `weights/`. */
  readonly folder: string;
}

/** The models whose weights this package builds. */
export const builtInEmbeddingModels: readonly EmbeddingModelDescription[] = [
  {
    id: "gte-small",
    description:
      "English sentence embeddings, the better of the two built-in models (thenlper/gte-small, int8).",
    dimensions: 384,
    maxTokens: 512,
    licence: "MIT",
    folder: "gte-small",
  },
  {
    id: "all-MiniLM-L6-v2",
    description:
      "English sentence embeddings, the faster of the two built-in models (sentence-transformers/all-MiniLM-L6-v2, int8).",
    dimensions: 384,
    // The limit its authors state. The positions reach 512, but the model was not trained that far.
    maxTokens: 256,
    licence: "Apache-2.0",
    folder: "all-MiniLM-L6-v2",
  },
];
