import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

interface Point {
  readonly id: string | number;
  readonly vector: readonly number[];
  readonly payload: unknown;
}

interface Collection {
  readonly size: number;
  readonly points: Map<string | number, Point>;
}

export const qdrantKey = "qdrant-key-0123456789";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
 * The part of Qdrant's HTTP API that a search needs, with its refusals: wrong key, unknown collection, wrong width, wrong
 * ids, fields that it does not know. https://api.qdrant.tech
 */
export async function startFakeQdrant() {
  const collections = new Map<string, Collection>();
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    response.setHeader("content-type", "application/json");
    try {
      const result = await respond(request, collections);
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
    close: () => server.close(),
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
    case "PUT /collections/{name}": {
      const { size, distance } = known(known(body, ["vectors"]).vectors, ["size", "distance"]);
      if (distance !== "Cosine" || !Number.isInteger(size)) throw new Refusal(400, "Wrong vectors");
      if (collections.has(name)) throw new Refusal(409, `Collection \`${name}\` already exists!`);
      collections.set(name, { size, points: new Map() });
      return true;
    }
    case "PUT /collections/{name}/points": {
      const collection = find(collections, name);
      for (const point of known(body, ["points"]).points as Point[]) store(collection, point);
      return { operation_id: 1, status: searchParams.get("wait") === "true" ? "completed" : "acknowledged" };
    }
    case "POST /collections/{name}/points/query": {
      const { query, limit } = known(body, ["query", "limit", "with_payload"]);
      return { points: nearest(find(collections, name), query).slice(0, limit) };
    }
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

function store({ size, points }: Collection, point: Point): void {
  const isId =
    typeof point.id === "number" ? Number.isInteger(point.id) && point.id >= 0 : uuid.test(point.id);
  if (!isId) throw new Refusal(400, `value ${point.id} is not a valid point ID`);
  expectWidth(point.vector, size);
  points.set(point.id, point);
}

function expectWidth(vector: readonly number[], size: number): void {
  if (vector.length !== size)
    throw new Refusal(
      400,
      `Wrong input: Vector dimension error: expected dim: ${size}, got ${vector.length}`,
    );
}

function nearest({ size, points }: Collection, query: readonly number[]) {
  expectWidth(query, size);
  return [...points.values()]
    .map(({ id, vector, payload }) => ({ id, version: 1, score: cosine(vector, query), payload }))
    .sort((one, other) => other.score - one.score);
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
