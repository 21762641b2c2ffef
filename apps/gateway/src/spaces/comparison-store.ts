import type { ProbeKind } from "@model-gateway/vector-check/spaces";

/** The result of one target in a comparison. `reference`: the others are compared with it. */
type ComparedVerdict = "reference" | "same" | "close" | "different" | "different_width" | "no_reply";

export interface ComparedTarget {
  readonly upstream: string;
  /** The model's name at the upstream. */
  readonly model: string;
  readonly verdict: ComparedVerdict;
  /** The inputs whose vectors must not be mixed with those of the reference. */
  readonly differsIn: readonly ProbeKind[];
  /** The lowest cosine of all texts. Null for the reference, for another width, and without a reply. */
  readonly cosineMin: number | null;
  /** Null where `cosineMin` is. */
  readonly neighboursKept: number | null;
  /** The lowest cosine of all images. Null also where it takes none. */
  readonly imageCosineMin: number | null;
  /** Null without a reply. */
  readonly width: number | null;
  readonly ms: number;
  /** Null where it replied. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** `incomplete`: not all targets replied, and those that did do not differ. */
export type ComparisonVerdict = "same" | "close" | "different" | "incomplete";

/** A comparison of the vectors of a model's targets. */
export interface TargetComparison {
  /** The id of the model. */
  readonly model: string;
  /** The id of its vector space. */
  readonly space: string;
  /** Milliseconds since 1970. */
  readonly comparedAt: number;
  /** Identifies the targets and the space. A comparison with another one is out of date. */
  readonly fingerprint: string;
  readonly verdict: ComparisonVerdict;
  /** The number of texts. */
  readonly texts: number;
  /** The number of images; 0 if no target takes them. */
  readonly images: number;
  readonly targets: readonly ComparedTarget[];
}

/** The last comparison of each model, for all replicas. */
export interface ComparisonStore {
  read(): Promise<readonly TargetComparison[]>;
  /** Replaces the last comparison of its model, unless a later one is stored. */
  save(comparison: TargetComparison): Promise<void>;
  /** Drops the comparisons of these models. */
  drop(models: readonly string[]): Promise<void>;
}
