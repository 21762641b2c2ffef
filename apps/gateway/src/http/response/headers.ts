import type { Response } from "express";
import { arrivalOf } from "../request/request-context.js";

/** A constant, because Express would look it up for every response. */
export const jsonType = "application/json; charset=utf-8";

/**
 * Notes a response header, replacing one with the same name. `writeHead` writes them all at once: Node validates,
 * stores and looks up each header that is set by itself, and eight of them cost as much as routing the request.
 *
 * @param name In lower case.
 */
export function addHeader(response: Response, name: string, value: string): void {
  const { headers } = arrivalOf(response);
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue;
    headers[at + 1] = value;
    return;
  }
  headers.push(name, value);
}

export function addHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) addHeader(response, name, headers[name] ?? "");
}

/** Begins the response with all noted headers. */
export function writeHead(response: Response, status: number): void {
  response.writeHead(status, arrivalOf(response).headers);
}

/** Hands the noted headers to Express, for responses that Express itself writes. */
export function setNotedHeaders(response: Response): void {
  const { headers } = arrivalOf(response);
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? "", headers[at + 1] ?? "");
}

/** Sends a bulk request its place in the queue. */
export function exposeQueuePlace(response: Response): void {
  const { bulk } = arrivalOf(response).summary;
  if (bulk !== undefined) addHeader(response, "x-gateway-queue-place", String(bulk.place));
}

/** Adds the upstream and the number of attempts, unless the operator has turned that off. */
export function exposeUpstream(response: Response): void {
  const { exposesUpstream, summary } = arrivalOf(response);
  const { upstream, attempts } = summary;
  if (!exposesUpstream || upstream === undefined) return;
  addHeader(response, "x-gateway-upstream", encodeURIComponent(upstream));
  if (attempts !== undefined) addHeader(response, "x-gateway-attempts", String(attempts));
}
