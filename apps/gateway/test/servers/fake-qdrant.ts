import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type PointId = string | number;

interface Point {
  readonly id: PointId;
  /** The vector of a collection without names is "". */
  readonly vectors: Readonly<Record<string, readonly number[]>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Collection {
  /** The width of the vector without a name. */
  readonly size: number | undefined;
  readonly widths: ReadonlyMap<string, number>;
  readonly distance: string;
  readonly points: Map<PointId, Point>;
}

export const qdrantKey = "qdrant-key-0123456789";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface QdrantFaults {
  /** Responds in its own way, and returns true; or returns false. */
  instead?: (path: string, response: ServerResponse) => boolean;
}

/** A refusal in the form of Qdrant. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The part of Qdrant's HTTP API that a search and a re-embedding need, with its refusals: wrong key, unknown collection,
 * wrong width, wrong ids, fields that it does not know. https://api.qdrant.tech
 */
export async function startFakeQdrant() {
  const collections = new Map<string, Collection>();
  const faults: QdrantFaults = {};
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    response.setHeader("content-type", "application/json");
    try {
      const result = await respond(request, collections);
      if (faults.instead?.(request.url ?? "", response) === true) return;
      response.end(JSON.stringify(request.url === "/" ? result : { result, status: "ok", time: 0 }));
    } catch (failure) {
      const { status, message } = failure instanceof Refusal ? failure : new Refusal(500, String(failure));
      response.writeHead(status).end(JSON.stringify({ status: { error: message }, time: 0 }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    collections,
    faults,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(request: IncomingMessage, collections: Map<string, Collection>): Promise<unknown> {
  if (request.headers["api-key"] !== qdrantKey) throw new Refusal(401, "Must provide an API key");
  const { pathname, searchParams } = new URL(request.url ?? "", "http://qdrant");
  if (pathname === "/") return { title: "qdrant - vector search engine", version: "1.18.0" };
  const [, , name = "", action] = pathname.split("/");
  const body = await readBody(request);
  switch (`${request.method} ${pathname.replace(name, "{name}")}`) {
    case "GET /collections/{name}/exists":
      return { exists: collections.has(name) };
    case "GET /collections/{name}":
      return describe(find(collections, name));
    case "PUT /collections/{name}": {
      if (collections.has(name)) throw new Refusal(409, `Collection \`${name}\` already exists!`);
      collections.set(name, createCollection(known(body, ["vectors"]).vectors));
      return true;
    }
    case "PUT /collections/{name}/points": {
      const collection = find(collections, name);
      for (const point of known(body, ["points"]).points) store(collection, point);
      return stored(searchParams);
    }
    case "POST /collections/{name}/points": {
      const { ids, with_payload } = known(body, ["ids", "with_payload", "with_vector"]);
      const { points } = find(collections, name);
      return (ids as PointId[]).flatMap((id) => {
        const point = points.get(id);
        return point === undefined ? [] : [show(point, with_payload)];
      });
    }
    case "POST /collections/{name}/points/scroll":
      return scroll(find(collections, name), body);
    case "PUT /collections/{name}/points/vectors": {
      const collection = find(collections, name);
      for (const point of known(body, ["points"]).points) updateVectors(collection, point);
      return stored(searchParams);
    }
    case "POST /collections/{name}/points/payload": {
      const { payload, points } = known(body, ["payload", "points"]);
      const collection = find(collections, name);
      for (const id of points as PointId[]) {
        const point = collection.points.get(id);
        if (point !== undefined)
          collection.points.set(id, { ...point, payload: { ...point.payload, ...payload } });
      }
      return stored(searchParams);
    }
    case "POST /collections/{name}/points/count":
      known(body, ["exact"]);
      return { count: find(collections, name).points.size };
    case "POST /collections/{name}/points/query":
      return query(find(collections, name), body);
    case "POST /collections/{name}/points/query/batch":
      return (known(body, ["searches"]).searches as unknown[]).map((search) =>
        query(find(collections, name), search),
      );
    default:
      throw new Refusal(404, `Unknown action ${action}`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each case checks the fields that it reads.
function known(value: any, names: readonly string[]): any {
  const unknown = Object.keys(value ?? {}).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Refusal(400, `Format error in JSON body: unknown field ${unknown}`);
  return value;
}

function find(collections: Map<string, Collection>, name: string): Collection {
  const collection = collections.get(name);
  if (collection === undefined) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
  return collection;
}

/** One vector without a name, or several with names. */
function createCollection(vectors: unknown): Collection {
  const given = vectors as Record<string, unknown>;
  const named = "size" in given ? { "": given } : given;
  const widths = new Map<string, number>();
  let distance = "";
  for (const [name, params] of Object.entries(named)) {
    const { size, distance: own } = known(params, ["size", "distance"]);
    if (own !== "Cosine" || !Number.isInteger(size)) throw new Refusal(400, "Wrong vectors");
    widths.set(name, size);
    distance = own;
  }
  return { size: widths.get(""), widths, distance, points: new Map() };
}

function describe({ widths, distance, points }: Collection): object {
  const entries = [...widths].map(([name, size]) => [name, { size, distance }] as const);
  const [only] = entries;
  const vectors = only?.[0] === "" ? only[1] : Object.fromEntries(entries);
  return { status: "green", points_count: points.size, config: { params: { vectors } } };
}

// biome-ignore lint/suspicious/noExplicitAny: a field of the body.
function store(collection: Collection, point: any): void {
  const { id, vector, payload } = known(point, ["id", "vector", "payload"]);
  const isId = typeof id === "number" ? Number.isInteger(id) && id >= 0 : uuid.test(id);
  if (!isId) throw new Refusal(400, `value ${id} is not a valid point ID`);
  collection.points.set(id, { id, vectors: readVectors(collection, vector), payload: payload ?? {} });
}

// biome-ignore lint/suspicious/noExplicitAny: a field of the body.
function updateVectors(collection: Collection, given: any): void {
  const { id, vector } = known(given, ["id", "vector"]);
  const point = collection.points.get(id);
  if (point === undefined) throw new Refusal(404, `Not found: No point with id ${id} found`);
  const vectors = { ...point.vectors, ...readVectors(collection, vector) };
  collection.points.set(id, { ...point, vectors });
}

function readVectors(collection: Collection, vector: unknown): Record<string, readonly number[]> {
  const named = (Array.isArray(vector) ? { "": vector } : vector) as Record<string, number[]>;
  for (const [name, numbers] of Object.entries(named)) expectWidth(collection, name, numbers);
  return named;
}

function expectWidth({ widths }: Collection, name: string, vector: readonly number[]): void {
  const size = widths.get(name);
  if (size === undefined) throw new Refusal(400, `Wrong input: Not existing vector name error: ${name}`);
  if (vector.length !== size)
    throw new Refusal(
      400,
      `Wrong input: Vector dimension error: expected dim: ${size}, got ${vector.length}`,
    );
}

function stored(query: URLSearchParams): object {
  return { operation_id: 1, status: query.get("wait") === "true" ? "completed" : "acknowledged" };
}

function show({ id, payload }: Point, fields: unknown): object {
  if (Array.isArray(fields))
    return {
      id,
      payload: Object.fromEntries(Object.entries(payload).filter(([name]) => fields.includes(name))),
    };
  return fields === false ? { id } : { id, payload };
}

/** Numbers before texts, each in their order. The offset is the first id of the page. */
function scroll({ points }: Collection, body: unknown): object {
  const { offset, limit, with_payload } = known(body, ["offset", "limit", "with_payload", "with_vector"]);
  const rank = (id: PointId) => (typeof id === "number" ? `0${String(id).padStart(20, "0")}` : `1${id}`);
  const ids = [...points.keys()].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  const from = offset === undefined ? 0 : ids.findIndex((id) => rank(id) >= rank(offset));
  const page = from === -1 ? [] : ids.slice(from, from + limit);
  const shown = page.map((id) => show(points.get(id) as Point, with_payload));
  return { points: shown, next_page_offset: from === -1 ? null : (ids[from + limit] ?? null) };
}

/** Nearest points of a vector or of a point, or a random sample. */
function query(collection: Collection, body: unknown): object {
  const {
    query: wanted,
    limit,
    with_payload = false,
    using = "",
  } = known(body, ["query", "limit", "with_payload", "using"]);
  const { points } = collection;
  if (wanted.sample === "random")
    return { points: [...points.values()].slice(0, limit).map((point) => show(point, with_payload)) };
  const isPoint = !Array.isArray(wanted);
  const vector = isPoint ? points.get(wanted)?.vectors[using] : wanted;
  if (vector === undefined) throw new Refusal(404, `Not found: No point with id ${wanted} found`);
  expectWidth(collection, using, vector);
  const scored = [...points.values()]
    .filter(({ id, vectors }) => vectors[using] !== undefined && !(isPoint && id === wanted))
    .map((point) => ({ ...show(point, with_payload), score: cosine(point.vectors[using] ?? [], vector) }))
    .sort((one, other) => other.score - one.score);
  return { points: scored.slice(0, limit) };
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? undefined : JSON.parse(text);
}
