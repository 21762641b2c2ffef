import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, respond } from "./serve.js";

/** The shortest valid response to each operation, so that a program runs without a gateway. */
export async function serveFakeGateway(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await readBody(request)).toString("latin1");
  const path = request.url ?? "";
  if (path === "/healthz") return respond(response, 200, { status: "ok" });
  if (path === "/readyz") return respond(response, 200, { status: "ready", models: { total: 1, ready: 1 } });
  if (path === link) {
    // A link works without a key, so a key sent with it has leaked.
    if (request.headers.authorization !== undefined) return refuse(response, 400, "invalid_value");
    response.writeHead(200, { "content-type": "image/png", "x-request-id": "req_1" });
    return void response.end(Buffer.from(png, "base64"));
  }
  if (path.startsWith("/admin/v1/") || path === "/metrics") return serveAdmin(request, response, body);
  if (request.headers.authorization !== "Bearer key") return refuse(response, 401, "invalid_api_key");
  if (path.includes("no%2Fsuch") || body.includes("no-such-model"))
    return refuse(response, 404, "model_not_found");
  if (path === "/v1/models") return respond(response, 200, { object: "list", data: [{ id: "gte-small" }] });
  if (path === "/v1/models/gte-small") return respond(response, 200, { id: "gte-small" });
  if (path.startsWith("/v1/key")) return serveOwnKey(response, path);
  if (path === "/v1/content_provenance_checks")
    return respond(response, 200, { results: [{ type: "c2pa", outcome: "not_detected" }], not_checked: [] });
  if (path.startsWith("/v1/files")) return serveFiles(request, response);
  if (path.startsWith("/v1/jobs") || request.headers.prefer === "respond-async")
    return serveJobs(request, response);
  if (path.startsWith("/v1/batches")) return serveBatches(response, path, request.method);
  if (path.endsWith("/embeddings")) {
    const data = body.includes("base64")
      ? [{ embedding: base64 }, { embedding: base64 }]
      : [{ embedding: [1, 2, 3] }];
    return respond(response, 200, { object: "list", data });
  }
  if (/filename="image".*\r\n.*\r\n\r\n\r\n--/.test(body))
    return refuse(response, 400, "unsupported_file_mimetype");
  if (isStream(body)) return stream(response, path === "/v1/images/edits" ? editedEvents : createdEvents);
  const url = `http://${request.headers.host}${link}`;
  return respond(response, 200, { created: 1, data: [body.includes('"url"') ? { url } : { b64_json: png }] });
}

function serveFiles({ method, url = "" }: IncomingMessage, response: ServerResponse): void {
  const file = { object: "file", id: "file-1", filename: "requests.jsonl", bytes: 20 };
  if (method === "DELETE") return respond(response, 200, { id: file.id, object: "file", deleted: true });
  if (url.endsWith("/content"))
    return respondText(response, "application/octet-stream", '{"custom_id":"one"}\n');
  if (method === "POST" || url.endsWith(file.id)) return respond(response, 200, file);
  return respond(response, 200, { object: "list", data: [file], last_id: file.id, has_more: false });
}

function serveOwnKey(response: ServerResponse, path: string): void {
  const request = { object: "request", id: "req_1", duration_ms: 3 };
  if (path === "/v1/key") return respond(response, 200, { object: "own_key", limits_remaining: {} });
  if (path === "/v1/key/requests/req_1") return respond(response, 200, request);
  return respond(response, 200, { object: "list", data: [request], next_cursor: null });
}

function serveJobs({ method, headers, url = "" }: IncomingMessage, response: ServerResponse): void {
  const job = { object: "job", id: "job_1", request_id: "req_1" };
  if (headers.prefer === "respond-async") return respond(response, 202, { ...job, status: "queued" });
  if (method === "POST") return respond(response, 200, { ...job, status: "cancelled" });
  const completed = { ...job, status: "completed", response: { created: 1, data: [{ b64_json: png }] } };
  if (url.endsWith(job.id)) return respond(response, 200, completed);
  return respond(response, 200, { object: "list", data: [completed], next_cursor: null });
}

/** A batch that is not known cannot be cancelled. */
function serveBatches(response: ServerResponse, path: string, method: string | undefined): void {
  const batch = { object: "batch", id: "batch_1", key_name: "consumer", request_counts: {} };
  if (path.endsWith("/cancel")) return refuse(response, 404, "batch_not_found");
  if (method === "POST" || path.includes("batch_1")) return respond(response, 200, batch);
  return respond(response, 200, { object: "list", data: [batch], last_id: "batch_1", has_more: false });
}

function serveAdmin(request: IncomingMessage, response: ServerResponse, body: string): void {
  const { pathname } = new URL(request.url ?? "", "http://gateway");
  if (pathname === "/admin/v1/sessions/current") return serveSession(request, response);
  if (request.headers.authorization !== "Bearer admin") return refuse(response, 401, "invalid_api_key");
  if (pathname === "/admin/v1/sign-in-codes")
    return respond(response, 200, { object: "sign_in_code", value: "mg_code_1", expires_at: 1 });
  if (pathname === "/admin/v1/sessions") return respond(response, 200, { ...session, value: "mg_session_1" });
  if (pathname.startsWith("/admin/v1/jobs")) return serveJobs(request, response);
  if (pathname.startsWith("/admin/v1/batches")) return serveBatches(response, pathname, request.method);
  if (pathname === "/admin/v1/probes") return respond(response, 200, { object: "probe", ok: true });
  if (pathname === "/admin/v1/space-comparisons") return refuse(response, 400, "invalid_value");
  if (pathname === "/admin/v1/space-revisions") return refuse(response, 409, "space_not_drifted");
  if (pathname === "/admin/v1/alerts")
    return respond(response, 200, { object: "alerts", targets: [], keys: [], configuration_refusal: null });
  if (pathname === "/admin/v1/configuration")
    return respond(response, 200, { object: "configuration", format: "yaml", text: "" });
  if (pathname === "/admin/v1/configuration/changes")
    return respond(response, 200, { object: "configuration.change", applied: false, diff: "" });
  if (pathname === "/admin/v1/upstream-trials")
    return respond(response, 200, { object: "upstream.trial", ok: true, dimensions: null });
  if (pathname === "/admin/v1/events") return stream(response, ["stream.started"]);
  const isTable = request.headers.accept === "text/csv";
  if (pathname === "/metrics") return respondText(response, "text/plain", "up 1\n");
  if (isTable && pathname === "/admin/v1/usage")
    return respondText(response, "text/csv", "model,requests\r\n");
  if (isTable) return respondText(response, "text/csv", "id,status\r\n");
  const key = { object: "key", name: "consumer", id: "key_1", redacted_value: "mg_...", status: "active" };
  if (request.method === "POST") return respond(response, 200, { ...key, value: `mg_${body.length}` });
  if (request.method === "PATCH") return respond(response, 200, { ...key, limits: JSON.parse(body).limits });
  if (request.method === "DELETE") return respond(response, 200, { ...key, status: "revoked" });
  if (pathname === "/admin/v1/keys/key_1") return respond(response, 200, key);
  if (pathname === "/admin/v1/requests/req_1")
    return respond(response, 200, { object: "request", duration_ms: 3 });
  const lists: Record<string, unknown[]> = {
    "/admin/v1/keys": [key],
    "/admin/v1/providers": [{ object: "provider", id: "local" }],
    "/admin/v1/models": [{ id: "gte-small" }],
    "/admin/v1/upstreams": [{ name: "local" }],
  };
  return respond(response, 200, { object: "list", data: lists[pathname] ?? [], next_cursor: null });
}

const session = { object: "session", id: "session_1", kind: "operator" };

function serveSession({ method, headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.authorization !== "Bearer mg_session_1") return refuse(response, 401, "invalid_api_key");
  return respond(response, 200, method === "DELETE" ? { ...session, ended: true } : session);
}

function respondText(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { "content-type": type, "x-request-id": "req_1" }).end(text);
}

const base64 = "zczMPc3MTL6amZk+";
const png = "iVBORw0KGgo=";
const link = "/v1/images/files/6f1f3530a1a2324b19752018ce756088.png?expires=1787153686&signature=8sWp3r9Z";
const createdEvents = ["image_generation.partial_image", "image_generation.completed"];
const editedEvents = ["image_edit.completed"];

function isStream(body: string): boolean {
  return body.includes('"stream":true') || body.includes('name="stream"');
}

function stream(response: ServerResponse, types: string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "req_1" });
  const events = types.map((type) => `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: png })}\n\n`);
  response.end(events.join(""));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const error = { message: "No such model.", type: "invalid_request_error", param: null, code };
  respond(response, status, { error });
}
