/** What is known of a built-in model without opening it. */
export interface EmbeddingModelDescription {
  readonly id: string;
  readonly description: string;
  readonly dimensions: number;
  /** Special tokens included. */
  readonly maxTokens: number;
  /** SPDX identifier of the weights. */
  readonly licence: string;
  /** Folder name below `weights/`. */
  readonly folder: string;
}
