import { compareProbes, type ProbeVectors } from "@model-gateway/vector-check/spaces";
import { type Diagnosis, type Finding, judge } from "../space-verdict.js";

/** A target, and its vectors of the probes. Without vectors it did not reply. */
export interface Examined extends Omit<Finding, "verdict" | "differsIn"> {
  readonly vectors: ProbeVectors | undefined;
}

/** Compares the vectors of targets that need not be in the configuration, and says what to do. */
export function diagnose(examined: readonly Examined[]): Diagnosis {
  const comparisons = compareProbes(examined.map(({ vectors }) => vectors));
  return judge(
    examined.map((one, at): Finding => {
      const { verdict = one.vectors ? "reference" : "no_reply", differsIn = [] } = comparisons[at] ?? {};
      return { ...one, verdict: verdict === "different width" ? "different_width" : verdict, differsIn };
    }),
  );
}
