import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An output file. Input files are at the gateway. */
interface StoredFile {
  readonly id: string;
  readonly keyId: string;
  readonly text: string;
}

export interface FakeBatch {
  readonly id: string;
  readonly input_file_id: string;
  readonly endpoint: string;
  readonly created_at: number;
  status: string;
  output_file_id: string | null;
  error_file_id: string | null;
  errors: { code: string; line: number; message: string; param: null }[];
  request_counts: { total: number; completed: number; failed: number };
  usage: { total_tokens: number };
}

/** How the next batches go wrong. */
export interface BatchFaults {
  /** Each of these requests is served once, and its response is lost: `POST /v1/batches`. */
  readonly lost: string[];
  /** The numbers of lines after which the next batches end, and how they end. */
  readonly endings: { readonly after: number; readonly status: "expired" | "cancelled" }[];
  /** Faults for which the next batches are refused. */
  readonly refused: { readonly line: number; readonly message: string }[];
  /** Texts whose line gets a 500, this many times. */
  readonly broken: Map<string, number>;
  /** Called before each line. */
  beforeLine: (text: unknown) => Promise<void> | void;
}

/** A refusal in the form of OpenAI. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * OpenAI's batches before a gateway, with OpenAI's refusals. The input files are those of the gateway, the lines run there,
 * and it gets every other request. With `areReal` it gets all of them, and this server only counts.
 * https://platform.openai.com/docs/api-reference/batch
 */
export async function startFakeBatches(
  gatewayUrl: () => string,
  { areReal = false }: { readonly areReal?: boolean } = {},
) {
  const files = new Map<string, StoredFile>();
  const batches = new Map<string, FakeBatch>();
  const received: string[] = [];
  const faults: BatchFaults = {
    lost: [],
    endings: [],
    refused: [],
    broken: new Map(),
    beforeLine: () => undefined,
  };
  const store = { files, batches, faults, gatewayUrl };
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const body = await readBody(request).catch(() => undefined);
    // The command was stopped in the middle of its request.
    if (body === undefined) return;
    const path = (request.url ?? "").split("?")[0] ?? "";
    const name = `${request.method} ${path.replace(/(file-|batch_)[\w-]+/, "{id}")}`;
    received.push(name);
    try {
      const found = areReal ? undefined : await respond(name, { request, body, store });
      const lost = faults.lost.indexOf(name);
      if (lost !== -1) {
        faults.lost.splice(lost, 1);
        request.socket.destroy();
        return;
      }
      if (found === undefined) await forward({ request, response, body, gatewayUrl: gatewayUrl() });
      else if (typeof found === "string") response.end(found);
      else response.setHeader("content-type", "application/json").end(JSON.stringify(found));
    } catch (failure) {
      const { status, code, message } =
        failure instanceof Refusal ? failure : new Refusal(500, "fake_failed", String(failure));
      const error = { message, type: "invalid_request_error", param: null, code };
      response
        .writeHead(status, { "content-type": "application/json", "x-should-retry": String(status >= 500) })
        .end(JSON.stringify({ error }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    batches,
    faults,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Store {
  readonly files: Map<string, StoredFile>;
  readonly batches: Map<string, FakeBatch>;
  readonly faults: BatchFaults;
  readonly gatewayUrl: () => string;
}

interface Received {
  readonly request: IncomingMessage;
  readonly body: Buffer<ArrayBuffer>;
  readonly store: Store;
}

/** Undefined if the request is for the gateway. */
async function respond(name: string, received: Received): Promise<object | string | undefined> {
  const { request, store } = received;
  const { pathname, searchParams } = new URL(request.url ?? "", "http://fake");
  const id = /(file-|batch_)[\w-]+/.exec(pathname)?.[0] ?? "";
  if (!pathname.startsWith("/v1/batches") && !store.files.has(id)) return undefined;
  const keyId = request.headers.authorization ?? "";
  if (keyId === "") throw new Refusal(401, "invalid_api_key", "You did not provide an API key.");
  switch (name) {
    case "GET /v1/files/{id}/content":
      return fileOf(store, { id, keyId }).text;
    case "DELETE /v1/files/{id}":
      fileOf(store, { id, keyId });
      store.files.delete(id);
      return { id, object: "file", deleted: true };
    case "POST /v1/batches":
      return create(received, keyId);
    case "GET /v1/batches":
      return list([...store.batches.values()].reverse(), searchParams);
    case "GET /v1/batches/{id}": {
      const batch = store.batches.get(id);
      if (batch === undefined) throw new Refusal(404, "batch_not_found", `No batch found with id '${id}'.`);
      return shown(batch);
    }
    default:
      throw new Refusal(404, "unknown_path", `Unknown request ${name}`);
  }
}

function fileOf(
  { files }: Store,
  { id, keyId }: { readonly id: string; readonly keyId: string },
): StoredFile {
  const file = files.get(id);
  if (file?.keyId !== keyId) throw new Refusal(404, "file_not_found", `No such File object: ${id}`);
  return file;
}

async function create({ body, store }: Received, keyId: string): Promise<object> {
  const given = JSON.parse(body.toString()) as Record<string, unknown>;
  const known = ["input_file_id", "endpoint", "completion_window", "metadata", "output_expires_after"];
  const unknown = Object.keys(given).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new Refusal(400, "unknown_parameter", `Unknown parameter: '${unknown}'.`);
  const { input_file_id: id, endpoint, completion_window } = given;
  if (completion_window !== "24h" || typeof endpoint !== "string")
    throw new Refusal(400, "invalid_value", "Invalid value for endpoint or completion_window.");
  const content = await fetch(`${store.gatewayUrl()}/v1/files/${id}/content`, {
    headers: { authorization: keyId },
  });
  if (!content.ok) throw new Refusal(404, "file_not_found", `No such File object: ${id}`);
  const text = await content.text();
  const batch: FakeBatch = {
    id: `batch_${randomUUID()}`,
    input_file_id: String(id),
    endpoint,
    created_at: now(),
    status: "validating",
    output_file_id: null,
    error_file_id: null,
    errors: [],
    request_counts: { total: 0, completed: 0, failed: 0 },
    usage: { total_tokens: 0 },
  };
  store.batches.set(batch.id, batch);
  void run(batch, { text, store, keyId }).catch((failure) => {
    batch.status = "failed";
    batch.errors = [{ code: "internal_error", line: 0, message: String(failure), param: null }];
  });
  return shown(batch);
}

function shown({ errors, ...batch }: FakeBatch): object {
  return {
    ...batch,
    object: "batch",
    completion_window: "24h",
    errors: errors.length === 0 ? null : { object: "list", data: errors },
  };
}

function list(batches: readonly FakeBatch[], query: URLSearchParams): object {
  const start = batches.findIndex(({ id }) => id === query.get("after")) + 1;
  const limit = Number(query.get("limit") ?? 20);
  const data = batches.slice(start, start + limit).map(shown);
  return { object: "list", data, has_more: start + limit < batches.length };
}

interface BatchLine {
  readonly custom_id: string;
  readonly method: string;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface BatchRun {
  readonly text: string;
  readonly store: Store;
  readonly keyId: string;
}

const linesAtOnce = 16;

async function run(batch: FakeBatch, { text, store, keyId }: BatchRun): Promise<void> {
  const refusal = store.faults.refused.shift();
  if (refusal !== undefined) {
    batch.errors.push({ code: "invalid_value", param: null, ...refusal });
    batch.status = "failed";
    return;
  }
  const lines = validate(batch, text);
  if (lines === undefined) return;
  batch.request_counts.total = lines.length;
  batch.status = "in_progress";
  const { faults } = store;
  const ending = faults.endings.shift();
  const [output, errors]: [string[], string[]] = [[], []];
  const last = ending === undefined ? lines.length : Math.min(ending.after, lines.length);
  for (let start = 0; start < last; start += linesAtOnce) {
    const some = lines.slice(start, Math.min(last, start + linesAtOnce));
    const results = await Promise.all(some.map((line) => runLine(line, { store, keyId })));
    for (const [index, { status, result }] of results.entries()) {
      batch.request_counts[status === 200 ? "completed" : "failed"] += 1;
      batch.usage.total_tokens += result.usage?.total_tokens ?? 0;
      const response = { status_code: status, request_id: "req_1", body: result };
      const written = { id: "batch_req_1", custom_id: some[index]?.custom_id, response, error: null };
      (status === 200 ? output : errors).push(JSON.stringify(written));
    }
  }
  // OpenAI names expired lines, and says nothing about cancelled ones.
  const error = { code: "batch_expired", message: "This request could not be executed in time." };
  if (ending?.status === "expired")
    for (const { custom_id } of lines.slice(last))
      errors.push(JSON.stringify({ id: "batch_req_1", custom_id, response: null, error }));
  const keep = (kept: readonly string[]): string | null => {
    if (kept.length === 0) return null;
    const id = `file-${randomUUID()}`;
    store.files.set(id, { id, keyId, text: `${kept.join("\n")}\n` });
    return id;
  };
  batch.output_file_id = keep(output);
  batch.error_file_id = keep(errors);
  batch.status = ending?.status ?? "completed";
}

async function runLine(
  { url, body }: BatchLine,
  { store, keyId }: Pick<BatchRun, "store" | "keyId">,
): Promise<{ status: number; result: { usage?: { total_tokens: number } } }> {
  const text = String(body.input);
  await store.faults.beforeLine(body.input);
  const broken = store.faults.broken.get(text) ?? 0;
  if (broken > 0) {
    store.faults.broken.set(text, broken - 1);
    const error = {
      message: "The upstream failed.",
      type: "server_error",
      param: null,
      code: "upstream_error",
    };
    return { status: 502, result: { error } as object };
  }
  const response = await fetch(`${store.gatewayUrl()}${url}`, {
    method: "POST",
    headers: { authorization: keyId, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, result: (await response.json()) as object };
}

/** Undefined if the file has faults, which the batch then has. */
function validate(batch: FakeBatch, text: string): readonly BatchLine[] | undefined {
  const ids = new Set<string>();
  const lines = text.split("\n").filter((line) => line !== "");
  const parsed = lines.map((line, index) => {
    const fault = (code: string, message: string) =>
      void batch.errors.push({ code, line: index + 1, message, param: null });
    try {
      const one = JSON.parse(line) as BatchLine;
      if (ids.has(one.custom_id)) fault("duplicate_custom_id", "The custom_id is used before.");
      ids.add(one.custom_id);
      if (typeof one.custom_id !== "string" || one.method !== "POST") fault("invalid_value", "Invalid line.");
      if (one.url !== batch.endpoint) fault("url_mismatch", "The url is not the endpoint of the batch.");
      return one;
    } catch {
      fault("invalid_json_line", "This line is not parseable as valid JSON.");
      return undefined;
    }
  });
  if (new Set(parsed.map((line) => line?.body.model)).size > 1)
    batch.errors.push({ code: "model_mismatch", line: 1, message: "A batch has one model.", param: null });
  if (lines.length > 50_000)
    batch.errors.push({ code: "too_many_tasks", line: 1, message: "Too many lines.", param: null });
  if (batch.errors.length === 0) return parsed.flatMap((line) => line ?? []);
  batch.status = "failed";
  return undefined;
}

interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer<ArrayBuffer>;
  readonly gatewayUrl: string;
}

async function forward({ request, response, body, gatewayUrl }: Forwarded): Promise<void> {
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const { method = "GET" } = request;
  const reply = await fetch(`${gatewayUrl}${request.url}`, {
    method,
    headers: headers as Record<string, string>,
    ...(body.length > 0 && { body }),
  });
  const {
    "content-encoding": _encoding,
    "content-length": _size,
    ...kept
  } = Object.fromEntries(reply.headers);
  response.writeHead(reply.status, kept).end(Buffer.from(await reply.arrayBuffer()));
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
