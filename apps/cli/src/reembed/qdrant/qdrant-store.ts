import { CommandError } from "../../remote/command-error.js";
import { createJsonlSink } from "../jsonl/jsonl-store.js";
import {
  type Comparison,
  type EmbeddedRow,
  type Neighbours,
  neighboursMax,
  type Place,
  type Row,
  type Space,
  type Store,
  type VectorSink,
} from "../rows.js";
import type { QdrantApi } from "./qdrant-api.js";

export interface QdrantIndex {
  readonly collection: string;
  /** The field of the payload that has the text. Dots lead into objects. */
  readonly textField: string;
  /** The field of the payload for the id of the space. */
  readonly spaceField: string;
  /** The collection that gets the vectors: another one, or the same one with a named vector. */
  readonly target: string;
  /** The name of the new vectors. Undefined: the vector of the collection. */
  readonly vector: string | undefined;
  /** The name of the present vectors, for a comparison. */
  readonly oldVector: string | undefined;
  /** The file that gets the vectors instead of a collection. */
  readonly out: { readonly path: string; readonly force: boolean } | undefined;
}

const pageSize = 200;
const searchesMax = 20;

/** A collection of Qdrant. */
export function createQdrantStore(api: QdrantApi, index: QdrantIndex): Store {
  const { out } = index;
  return {
    name: `${api.name}/${index.collection}`,
    rows: (from) => readTexts(api, index, from),
    sink: (position) =>
      out === undefined
        ? createQdrantSink(api, index)
        : createJsonlSink(out.path, { position, force: out.force }),
    compare: (queries) => compareCollections(api, index, queries),
    close: async () => undefined,
  };
}

async function* readTexts(
  api: QdrantApi,
  { collection, textField: field }: QdrantIndex,
  from: Place | undefined,
): AsyncGenerator<Row, void, undefined> {
  if (from === null) return;
  let offset = from;
  for (;;) {
    const { points, next } = await api.scroll(collection, { offset, limit: pageSize, field });
    for (const [at, { id, payload }] of points.entries()) {
      const text = textAt(payload, field);
      yield { id, text, next: points[at + 1]?.id ?? next };
    }
    if (next === null) return;
    offset = next;
  }
}

function textAt(payload: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = field
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], payload);
  return typeof value === "string" ? value : null;
}

/** Copies points with their present payload, or sets a named vector of the same points. Deleted points stay away. */
function createQdrantSink(api: QdrantApi, index: QdrantIndex): VectorSink {
  const { collection, target, vector, spaceField } = index;
  const named = (embedding: Float32Array) =>
    vector === undefined ? [...embedding] : { [vector]: [...embedding] };
  const copy = async (rows: readonly EmbeddedRow[], space: Space): Promise<number> => {
    const ids = rows.map(({ id }) => id);
    const present = new Map(
      (await api.retrieve(collection, ids, { payload: true })).map((one) => [one.id, one]),
    );
    const points = rows.flatMap(({ id, embedding }) => {
      const point = present.get(id);
      if (point === undefined) return [];
      return [{ id, vector: named(embedding), payload: { ...point.payload, [spaceField]: space.id } }];
    });
    if (points.length > 0) await api.upsert(target, points);
    return points.length;
  };
  const update = async (rows: readonly EmbeddedRow[], space: Space): Promise<number> => {
    const ids = rows.map(({ id }) => id);
    const present = new Set((await api.retrieve(target, ids, { payload: false })).map(({ id }) => id));
    const points = rows
      .filter(({ id }) => present.has(id))
      .map(({ id, embedding }) => ({ id, vector: named(embedding) }));
    if (points.length === 0) return 0;
    await api.updateVectors(target, points);
    await api.setPayload(
      target,
      { [spaceField]: space.id },
      points.map(({ id }) => id),
    );
    return points.length;
  };
  return {
    prepare: (space) => prepareCollection(api, index, space),
    write: target === collection ? update : copy,
    checkpoint: async () => null,
    close: async () => undefined,
  };
}

async function prepareCollection(
  api: QdrantApi,
  { collection, target, vector = "" }: QdrantIndex,
  { dimensions }: Space,
): Promise<readonly string[]> {
  const present = await api.vectors(collection);
  if (present === undefined) throw new CommandError(`Qdrant at ${api.name} has no collection ${collection}.`);
  const there = await api.vectors(target);
  const place =
    vector === "" ? `The collection ${target}` : `The vector ${vector} of the collection ${target}`;
  if (there === undefined) {
    const [old] = present.values();
    const params = { size: dimensions, distance: old?.distance ?? "Cosine" };
    await api.createCollection(target, vector === "" ? params : { [vector]: params });
    return [`Created the collection ${target} for vectors of ${dimensions} numbers.`];
  }
  const params = there.get(vector);
  if (params === undefined)
    throw new CommandError(
      `${place} does not exist. Name one that does with --vector, or a new collection with --to-collection.`,
    );
  if (params.size !== dimensions)
    throw new CommandError(
      `${place} holds ${params.size} numbers a point, and the model returns ${dimensions}. Name a new collection with --to-collection.`,
    );
  return [];
}

/** Qdrant searches, as the application does. */
async function compareCollections(
  api: QdrantApi,
  { collection, target, vector, oldVector }: QdrantIndex,
  queries: number,
): Promise<Comparison> {
  const sampled = await api.sample(target, queries);
  const there = new Set((await api.retrieve(collection, sampled, { payload: false })).map(({ id }) => id));
  const ids = sampled.filter((id) => there.has(id));
  const sample: Neighbours[] = [];
  for (let start = 0; start < ids.length; start += searchesMax) {
    const some = ids.slice(start, start + searchesMax);
    const old = await api.nearest(collection, { ids: some, limit: neighboursMax, using: oldVector });
    const renewed = await api.nearest(target, { ids: some, limit: neighboursMax, using: vector });
    sample.push(...some.map((id, index) => ({ id, old: old[index] ?? [], new: renewed[index] ?? [] })));
  }
  const between: [string, string] = [nameOf(collection, oldVector), nameOf(target, vector)];
  return { between, total: await api.count(target), sample };
}

function nameOf(collection: string, vector: string | undefined): string {
  return vector === undefined ? collection : `${collection}/${vector}`;
}
