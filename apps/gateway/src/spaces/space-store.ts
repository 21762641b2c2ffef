import type { TargetProbes } from "./embed-at-target.js";

/** A target whose vectors are checked, in one of the spaces that it serves. */
export interface CheckedTarget {
  /** The id of the space, as the configuration describes it. */
  readonly space: string;
  readonly upstream: string;
  /** The model's name at the upstream. */
  readonly model: string;
  /** The input type that the vectors are created for; empty without one. */
  readonly inputType: string;
}

/** The distance of a target's latest vectors from those recorded for its space. */
export interface ProbeDistance {
  /** The lowest cosine of all texts; 0 if the widths differ. */
  readonly cosineMin: number;
  /** The same of all images. Null if the target takes none. */
  readonly imageCosineMin: number | null;
}

/** The lowest cosine of all inputs. */
export function lowestCosine({ cosineMin, imageCosineMin }: ProbeDistance): number {
  return Math.min(cosineMin, imageCosineMin ?? cosineMin);
}

export interface TargetCheck extends Pick<CheckedTarget, "space" | "upstream" | "model">, ProbeDistance {
  /** Milliseconds since 1970. */
  readonly checkedAt: number;
}

/** The vector spaces known to all replicas. */
export interface SpaceStates {
  /** Number of accepted changes of vectors, by space. Spaces without any are absent. */
  readonly accepted: ReadonlyMap<string, number>;
  readonly checks: readonly TargetCheck[];
}

export interface SpaceStore {
  read(): Promise<SpaceStates>;
  /** Gives a target's check to one replica. */
  claim(target: CheckedTarget, lease: CheckLease): Promise<CheckClaim>;
  /** Gives a check back that has failed. */
  release(target: CheckedTarget): Promise<void>;
  /** Stores the vectors of a target. The first vectors of a space become its reference, and so do the first of images. */
  record(target: CheckedTarget, probes: TargetProbes): Promise<ProbeDistance>;
  /**
   * Makes a target's latest vectors the reference of its space. The others are compared with it at once. A target that
   * takes no images leaves the reference of images as it is. Returns the number of acceptances in this space, including
   * this one; undefined if no vectors of the target are stored.
   */
  accept(target: Omit<CheckedTarget, "inputType">): Promise<number | undefined>;
}

/** `leased`: another replica checks it now. `checked`: one of them has done so since the time of the lease. */
export type CheckClaim = "claimed" | "leased" | "checked";

export interface CheckLease {
  /** Milliseconds since 1970, as all times here. */
  readonly since: number;
  readonly until: number;
}
