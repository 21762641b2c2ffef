import { CommandError } from "../remote/command-error.js";
import { type Comparison, type Neighbours, neighboursMax, type RowId } from "./rows.js";

/** How much of the old order the new vectors keep. */
export interface Recall {
  readonly between: readonly [string, string];
  readonly rows: number | null;
  readonly queries: number;
  /** The number of neighbours that count: 10, or fewer in a small index. */
  readonly k: number;
  /** The share of the old neighbours that are among the new ones, on average. */
  readonly recall: number;
  /** The share of the queries that keep their nearest neighbour. */
  readonly nearest_kept: number;
  /** The query that keeps the fewest. */
  readonly lowest: { readonly id: RowId; readonly recall: number };
}

/** Computes recall@10. Throws if there is nothing to compare. */
export function recallOf({ between, total, sample }: Comparison): Recall {
  const compared = sample.filter(({ old }) => old.length > 0);
  const k = Math.min(neighboursMax, Math.max(0, ...compared.map(({ old }) => old.length)));
  const [first, ...others] = compared.map((one) => ({ id: one.id, recall: keptShare(one) }));
  if (first === undefined)
    throw new CommandError(
      `Nothing can be compared: no two rows have vectors in both ${between[0]} and ${between[1]}.`,
    );
  const all = [first, ...others];
  const sum = all.reduce((total, { recall }) => total + recall, 0);
  const kept = compared.filter(({ old, new: renewed }) => old[0] === renewed[0]);
  return {
    between,
    rows: total,
    queries: all.length,
    k,
    recall: sum / all.length,
    nearest_kept: kept.length / all.length,
    lowest: all.reduce((lowest, one) => (one.recall < lowest.recall ? one : lowest), first),
  };
}

function keptShare({ old, new: renewed }: Neighbours): number {
  const found = new Set(renewed);
  return old.filter((id) => found.has(id)).length / old.length;
}
