import type { Express, Request, Response } from "express";
import { GatewayError } from "../errors.js";
import { serveDocs } from "./docs-site.js";
import { type BeginNeeds, beginRequest } from "./request/request-context.js";
import type { Operation } from "./request/spec.js";
import { addHeader, writeHead } from "./response/headers.js";
import { writeError } from "./response/write-error.js";
import { type ServeNeeds, serveOperation } from "./serve-operation.js";

export interface ExpressNeeds extends ServeNeeds, Omit<BeginNeeds, "accounts"> {
  /** See `prototypes.ts`. */
  readonly createApp: () => Express;
}

/** The way of a request through Express, from top to bottom. */
export function createExpress(operations: readonly Operation[], needs: ExpressNeeds): Express {
  const app = needs.createApp();

  app.use((request, response, next) => {
    beginRequest(request, response, needs);
    if (allowOrigins(request, response)) return;
    normaliseRequest(request);
    next();
  });
  for (const [path, ofPath] of byPath(operations)) {
    for (const operation of ofPath) app[operation.method](path, ...serveOperation(operation, needs));
    app.all(path, (request) => {
      throw wrongMethod(request.method, ofPath);
    });
  }
  app.use("/docs", serveDocs());
  app.use((request) => {
    throw new GatewayError("unknown_url", `Invalid URL (${request.method} ${request.path.slice(0, 200)})`);
  });
  app.use(writeError(needs.log));
  return app;
}

function byPath(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations)
    groups.set(operation.path, [...(groups.get(operation.path) ?? []), operation]);
  return groups;
}

function wrongMethod(asked: string, operations: readonly Operation[]): GatewayError {
  const methods = operations.map(({ method }) => method.toUpperCase());
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ");
  return new GatewayError(
    "method_not_allowed",
    `The method ${asked} is not allowed here; use ${methods.join(" or ")}.`,
    { headers: { allow } },
  );
}

/**
 * Lets pages of any origin call: what protects an answer is the key, never a cookie. Whether that was all there was to
 * answer: a browser may only ask what it may do.
 */
export function allowOrigins(request: Request, response: Response): boolean {
  addHeader(response, "access-control-allow-origin", "*");
  addHeader(response, "access-control-expose-headers", exposed);
  if (request.method !== "OPTIONS" || request.get("access-control-request-method") === undefined)
    return false;
  addHeader(response, "access-control-allow-methods", "GET, POST, PATCH, DELETE, OPTIONS");
  addHeader(response, "access-control-allow-headers", request.get("access-control-request-headers") ?? "*");
  addHeader(response, "access-control-max-age", "86400");
  writeHead(response, 204);
  response.end();
  return true;
}

const exposed = [
  "x-request-id",
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
  "deprecation",
  "link",
  "accept-ranges",
  "content-range",
  "idempotent-replayed",
  "x-gateway-attempts",
  "x-gateway-cache",
  "x-gateway-failed-images",
  "x-gateway-upstream",
  "x-next-cursor",
  "x-ratelimit-limit-requests",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-reset-requests",
  "x-ratelimit-limit-tokens",
  "x-ratelimit-remaining-tokens",
  "x-ratelimit-reset-tokens",
].join(", ");

/**
 * Some clients write a model id into the path without encoding its slashes, and old ones write a space as `+`.
 * Both become what the spec says, before anything looks at the path.
 */
export function normaliseRequest(request: Request): void {
  if (request.httpVersion === "1.1" && request.headers.host === undefined) {
    throw new GatewayError("invalid_http", "The request has no Host header.");
  }
  const { url } = request;
  if (url.startsWith("/v1/models/") || url.startsWith("/v1/engines/")) {
    const [path = "", query] = url.split("?", 2);
    const normal = normalisePath(path);
    if (normal !== path) {
      request.url = query === undefined ? normal : `${normal}?${query}`;
      request.originalUrl = request.url;
    }
  }
  // HEAD is GET without a body, and Node already holds the body back.
  if (request.method === "HEAD") request.method = "GET";
}

/**
 * The path and query of a target that may be written as a whole URL. Express and the validator read such a URL each
 * in its own way, and where Express finds no path it answers by itself. https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function originForm(url: string): string {
  if (url.startsWith("/") && !url.includes("#")) return url;
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  return path.startsWith("/") || path === "*" ? path : `/${path}`;
}

export function normalisePath(path: string): string {
  const model = /^\/v1\/models\/(.+)$/.exec(path)?.[1];
  if (model !== undefined) return `/v1/models/${encodeSlashes(model)}`;
  const engine = /^\/v1\/engines\/(.+)\/embeddings$/.exec(path)?.[1];
  if (engine !== undefined) return `/v1/engines/${encodeSlashes(engine).replaceAll("+", "%20")}/embeddings`;
  return path;
}

function encodeSlashes(segment: string): string {
  return segment.replaceAll("/", "%2F");
}
