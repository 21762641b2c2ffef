import { compareWithMajority, type SpaceVector } from "@model-gateway/vector-check/spaces";
import { type Diagnosis, type Finding, judge } from "../space-verdict.js";

/** A target, and its vectors of the probe texts. Without vectors it did not reply. */
export interface Examined extends Omit<Finding, "verdict"> {
  readonly vectors: readonly SpaceVector[] | undefined;
}

/** Compares the vectors of targets that need not be in the configuration, and says what to do. */
export function diagnose(examined: readonly Examined[]): Diagnosis {
  const { reference, comparisons } = compareWithMajority(examined.map(({ vectors }) => vectors));
  return judge(
    examined.map((one, at): Finding => {
      const verdict = comparisons[at]?.verdict ?? (at === reference ? "reference" : "no_reply");
      return { ...one, verdict: verdict === "different width" ? "different_width" : verdict };
    }),
  );
}
