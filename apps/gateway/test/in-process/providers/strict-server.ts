import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { z } from "zod";

/** A reply of a fake provider. An object is sent as JSON. */
export interface FakeReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface FakeRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One operation of a fake provider. */
export interface StrictRoute<B = unknown> {
  /** Unknown fields and wrong types must be refused: use `strictObject`. A request without a body is `undefined`. */
  readonly body: z.ZodType<B>;
  readonly reply: (body: B, request: FakeRequest) => FakeReply;
}

export interface StrictServerOptions {
  /** By method and path, such as `POST /v1/embeddings`. */
  readonly routes: Readonly<Record<string, StrictRoute>>;
  /** The provider's own refusal of wrong credentials; undefined where they are right. */
  readonly authenticate: (request: FakeRequest) => FakeReply | undefined;
  /** The provider's own refusal of a body. The path leads to the field at fault. */
  readonly refuse: (fault: { readonly path: readonly PropertyKey[]; readonly message: string }) => FakeReply;
}

export interface StrictServer {
  readonly origin: string;
  /** The parsed bodies of all requests that reached a route, in order. */
  readonly bodies: unknown[];
  /** The replies to the next requests, before any check. */
  readonly scripted: FakeReply[];
  close(): void;
}

/** Keeps the types of one route together. */
export function strictRoute<B>(route: StrictRoute<B>): StrictRoute {
  return route as StrictRoute;
}

/** A fake provider that is at least as strict as the real one: it refuses unknown fields. */
export async function startStrictServer(options: StrictServerOptions): Promise<StrictServer> {
  const bodies: unknown[] = [];
  const scripted: FakeReply[] = [];
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const received = await readRequest(request);
    send(response, scripted.shift() ?? answer(received, options, bodies));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    scripted,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(request: FakeRequest, options: StrictServerOptions, bodies: unknown[]): FakeReply {
  const refusal = options.authenticate(request);
  if (refusal !== undefined) return refusal;
  const route = options.routes[`${request.method} ${request.path}`];
  if (route === undefined) return { status: 404, body: { message: `No route ${request.path}.` } };
  const isEmpty = request.text === "";
  if (!isEmpty && !request.headers["content-type"]?.startsWith("application/json"))
    return { status: 415, body: { message: "Not JSON." } };
  const parsed = route.body.safeParse(isEmpty ? undefined : JSON.parse(request.text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    return options.refuse({ path: [...(issue?.path ?? []), ...unknown], message: issue?.message ?? "" });
  }
  bodies.push(parsed.data);
  return route.reply(parsed.data, request);
}

async function readRequest(request: IncomingMessage): Promise<FakeRequest> {
  const text = Buffer.concat(await request.toArray()).toString("utf8");
  return { method: request.method ?? "", path: request.url ?? "", headers: request.headers, text };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: FakeReply): void {
  const isRaw = typeof body === "string" || Buffer.isBuffer(body);
  response.writeHead(status, { ...(isRaw ? {} : { "content-type": "application/json" }), ...headers });
  response.end(isRaw ? body : JSON.stringify(body));
}
