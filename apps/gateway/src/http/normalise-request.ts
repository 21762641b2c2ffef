import type { Request } from "express";
import { GatewayError } from "../errors.js";

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
