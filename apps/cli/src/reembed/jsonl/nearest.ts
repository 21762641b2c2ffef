import { createHash } from "node:crypto";
import { type EmbeddedRow, type Neighbours, neighboursMax, type RowId } from "../rows.js";

/** Vectors that can be read several times. */
type VectorReader = () => AsyncIterable<EmbeddedRow>;

interface Scan {
  readonly queries: number;
  readonly old: VectorReader;
  readonly new: VectorReader;
}

/**
 * The exact neighbours of a sample, by cosine. Each file is read twice, and only the vectors of the sample are kept, so
 * the memory does not grow with the files.
 */
export async function nearestByScan({
  queries,
  old,
  new: renewed,
}: Scan): Promise<{ readonly total: number; readonly sample: readonly Neighbours[] }> {
  const { chosen, total } = await choose(renewed(), queries);
  const newQueries = new Map(chosen.map(({ id, embedding }) => [id, embedding]));
  const oldQueries = new Map<RowId, Float32Array>();
  for await (const { id, embedding } of old()) if (newQueries.has(id)) oldQueries.set(id, embedding);
  const ids = [...oldQueries.keys()];
  const oldNearest = await scan(old(), ids, oldQueries);
  const newNearest = await scan(renewed(), ids, newQueries);
  return {
    total,
    sample: ids.map((id, index) => ({ id, old: oldNearest[index] ?? [], new: newNearest[index] ?? [] })),
  };
}

/** The rows with the smallest digests of their ids: a sample without order that is the same in every run. */
async function choose(
  rows: AsyncIterable<EmbeddedRow>,
  queries: number,
): Promise<{ readonly chosen: readonly EmbeddedRow[]; readonly total: number }> {
  let chosen: (EmbeddedRow & { readonly rank: string })[] = [];
  let highest = "";
  let total = 0;
  const byRank = (one: { readonly rank: string }, other: { readonly rank: string }) =>
    one.rank < other.rank ? -1 : 1;
  for await (const { id, embedding } of rows) {
    total += 1;
    const rank = createHash("sha256").update(JSON.stringify(id)).digest("hex");
    if (chosen.length >= queries && rank > highest) continue;
    chosen.push({ id, embedding, rank });
    if (chosen.length < 2 * queries) continue;
    // Cut in bulk, because a sort for each row would take longer than the reading.
    chosen = chosen.sort(byRank).slice(0, queries);
    highest = chosen.at(-1)?.rank ?? "";
  }
  return { chosen: chosen.sort(byRank).slice(0, queries), total };
}

/** The nearest rows of each query. A row is not its own neighbour. */
async function scan(
  rows: AsyncIterable<EmbeddedRow>,
  ids: readonly RowId[],
  queries: ReadonlyMap<RowId, Float32Array>,
): Promise<RowId[][]> {
  const searches = ids.map((id) => ({
    id,
    query: queries.get(id) ?? new Float32Array(),
    nearest: [] as { readonly id: RowId; readonly score: number }[],
  }));
  for await (const { id, embedding } of rows) {
    const length = Math.sqrt(dot(embedding, embedding)) || 1;
    for (const search of searches) {
      if (search.id === id) continue;
      // The length of the query is the same for all rows, so it changes no order.
      const score = dot(search.query, embedding) / length;
      const { nearest } = search;
      const isFull = nearest.length === neighboursMax;
      if (isFull && score <= (nearest.at(-1)?.score ?? 0)) continue;
      const at = nearest.findIndex((one) => one.score < score);
      nearest.splice(at === -1 ? nearest.length : at, 0, { id, score });
      if (isFull) nearest.pop();
    }
  }
  return searches.map(({ nearest }) => nearest.map(({ id }) => id));
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}
