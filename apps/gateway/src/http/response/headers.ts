import type { Response } from "express";
import { type Arrival, arrivalOf } from "../request/request-context.js";

/** A constant, because Express would look it up for every response. */
export const jsonType = "application/json; charset=utf-8";

/**
 * Notes a response header, replacing one with the same name. `writeHead` writes them all at once: Node validates,
 * stores and looks up each header that is set by itself, and eight of them cost as much as routing the request.
 *
 * @param name In lower case.
 */
export function addHeader(response: Response, name: string, value: string): void {
  noteHeader(arrivalOf(response).headers, name, value);
}

export function addHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  noteHeaders(arrivalOf(response).headers, headers);
}

/** The same for the list of an arrival. */
export function noteHeader(noted: string[], name: string, value: string): void {
  for (let at = 0; at < noted.length; at += 2) {
    if (noted[at] !== name) continue;
    noted[at + 1] = value;
    return;
  }
  noted.push(name, value);
}

export function noteHeaders(noted: string[], headers: Readonly<Record<string, string>>): void {
  for (const name in headers) noteHeader(noted, name, headers[name] ?? "");
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

/** Adds a bulk request's place in the queue. */
export function exposeQueuePlace({ headers, summary: { bulk } }: Pick<Arrival, "headers" | "summary">): void {
  if (bulk !== undefined) noteHeader(headers, "x-gateway-queue-place", String(bulk.place));
}

/** Announces the end of the requested model. A path that is deprecated itself keeps its own header. */
export function exposeEnd({ headers, summary: { end } }: Pick<Arrival, "headers" | "summary">): void {
  if (end === undefined || Date.now() < end.noticeFromMs) return;
  if (!headers.includes("deprecation")) headers.push("deprecation", end.headers.deprecation);
  headers.push("sunset", end.headers.sunset);
}

/** Adds the upstream and the number of attempts, unless the operator has turned that off. */
export function exposeUpstream({
  headers,
  exposesUpstream,
  summary: { upstream, attempts },
}: Pick<Arrival, "headers" | "exposesUpstream" | "summary">): void {
  if (!exposesUpstream || upstream === undefined) return;
  noteHeader(headers, "x-gateway-upstream", encodeURIComponent(upstream));
  if (attempts !== undefined) noteHeader(headers, "x-gateway-attempts", String(attempts));
}
