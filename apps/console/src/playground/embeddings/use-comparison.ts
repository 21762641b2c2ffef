import { useEffect, useState } from "react";
import { type Projection, projectSteps } from "./project.js";
import { runInTurns } from "./run-in-turns.js";
import { type Similarity, similaritySteps } from "./similarity.js";

export interface Comparison {
  readonly vectors: readonly Float32Array[];
  readonly similarity: Similarity;
  readonly projection: Projection;
}

/** Compares vectors while the page stays responsive. Undefined until it is done. */
export function useComparison(vectors: readonly Float32Array[]): Comparison | undefined {
  const [comparison, setComparison] = useState<Comparison>();
  useEffect(() => {
    const stop = new AbortController();
    compare(vectors, stop.signal).then(setComparison, () => undefined);
    return () => stop.abort();
  }, [vectors]);
  return comparison?.vectors === vectors ? comparison : undefined;
}

async function compare(vectors: readonly Float32Array[], signal: AbortSignal): Promise<Comparison> {
  const similarity = await runInTurns(similaritySteps(vectors), signal);
  const projection = await runInTurns(projectSteps(similarity), signal);
  return { vectors, similarity, projection };
}
