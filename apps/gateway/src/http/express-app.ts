import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { Express, Request, Response } from "express";
import type { Operation } from "../execution/validation/spec.js";
import { serveDocs } from "./docs-site.js";
import { type BeginOptions, beginRequest } from "./request/begin-request.js";
import { addCorsHeaders } from "./response/cors-headers.js";
import { addHeader, writeHead } from "./response/headers.js";
import { writeError } from "./response/write-error.js";
import { leadBrowsersTo, serveConsole } from "./serve-console.js";
import { type ServeOptions, serveOperation } from "./serve-operation.js";
import { createUnknownUrl } from "./unknown-url.js";

export interface ExpressAppOptions extends ServeOptions, Omit<BeginOptions, "accounting" | "secrets"> {
  /** See `runtime/express-prototypes.ts`. */
  readonly createApp: () => Express;
  /** Whether the web console is served. */
  readonly servesConsole: boolean;
}

/** All routes of the gateway, in the order in which Express tries them. */
export function createExpressApp(operations: readonly Operation[], options: ExpressAppOptions): Express {
  const app = options.createApp();

  app.use((request, response, next) => {
    beginRequest(request, response, options);
    addCorsHeaders(response);
    if (respondToPreflight(request, response)) return;
    normaliseRequest(request);
    next();
  });
  for (const [path, group] of groupByPath(operations)) {
    // One route a path. `app.all` would add a handler for each of Node's 34 methods.
    const route = app.route(path);
    for (const operation of group) route[operation.method](serveOperation(operation, options));
    route.all((request) => {
      throw methodNotAllowed(request.method, group);
    });
  }
  app.use("/docs", serveDocs(options));
  if (options.servesConsole) app.use("/console", serveConsole());
  app.get("/", leadBrowsersTo(options.servesConsole ? "console/" : "docs/"));
  const unknownUrl = createUnknownUrl(operations);
  app.use((request) => {
    throw unknownUrl(request.method, request.path);
  });
  app.use(writeError(options));
  return app;
}

function groupByPath(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations)
    for (const path of [operation.path, ...operation.aliases])
      groups.set(path, [...(groups.get(path) ?? []), operation]);
  return groups;
}

function methodNotAllowed(method: string, operations: readonly Operation[]): GatewayError {
  const allowed = operations.map((operation) => operation.method.toUpperCase());
  const allow = allowed.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : one)).join(", ");
  return errorOf("method_not_allowed", { method, allowed: allowed.join(" or ") }, { headers: { allow } });
}

/** Whether it was a CORS preflight request, which has been responded to now. */
function respondToPreflight(request: Request, response: Response): boolean {
  if (request.method !== "OPTIONS" || request.get("access-control-request-method") === undefined)
    return false;
  addHeader(response, "access-control-allow-methods", "GET, POST, PATCH, DELETE, OPTIONS");
  addHeader(response, "access-control-allow-headers", request.get("access-control-request-headers") ?? "*");
  addHeader(response, "access-control-max-age", "86400");
  writeHead(response, 204);
  response.end();
  return true;
}

/**
 * Some clients do not encode the slashes of a model id in the path, and old ones write a space as `+`. Both are
 * rewritten to the spec's form before routing.
 */
function normaliseRequest(request: Request): void {
  if (request.httpVersion === "1.1" && request.headers.host === undefined) {
    throw new GatewayError("invalid_http", "The request has no Host header.");
  }
  if (countHosts(request) > 1) throw new GatewayError("invalid_http", "The request has two Host headers.");
  const { url } = request;
  if (hasModel(url)) {
    const [path = "", query] = url.split("?", 2);
    const normal = normalisePath(path);
    if (normal !== path) {
      request.url = query === undefined ? normal : `${normal}?${query}`;
      request.originalUrl = request.url;
    }
  }
  // HEAD is GET without a body, and Node does not send the body.
  if (request.method === "HEAD") request.method = "GET";
}

/** Whether a path has the id of a model in it. Most requests have not, and a prefix is cheaper than a pattern. */
function hasModel(url: string): boolean {
  return (
    url.startsWith("/v1/models/") || url.startsWith("/v1/engines/") || url.startsWith("/openai/deployments/")
  );
}

/** Node keeps only the first one. A proxy in front may have routed the request by another. */
function countHosts({ rawHeaders }: Request): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts;
}

/**
 * The path and query of a request target, which may be an absolute URL. Express and the validator read such a URL
 * differently, and Express itself responds to a URL without a path. https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function originForm(url: string): string {
  if (url.startsWith("/") && !url.includes("#")) return url;
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  return path.startsWith("/") || path === "*" ? path : `/${path}`;
}

export function normalisePath(path: string): string {
  const model = /^\/v1\/models\/(.+?)\/?$/.exec(path)?.[1];
  if (model !== undefined) return `/v1/models/${encodeSlashes(model)}`;
  const engine = /^\/v1\/engines\/(.+)\/embeddings\/?$/.exec(path)?.[1];
  if (engine !== undefined) return `/v1/engines/${encodeSlashes(engine).replaceAll("+", "%20")}/embeddings`;
  const [, deployment, rest] =
    /^\/openai\/deployments\/(.+)\/(embeddings|images\/generations|images\/edits|batches)\/?$/.exec(path) ??
    [];
  if (deployment !== undefined) return `/openai/deployments/${encodeSlashes(deployment)}/${rest}`;
  return path;
}

function encodeSlashes(segment: string): string {
  return segment.replaceAll("/", "%2F");
}
