import type { Response } from "express";
import { contextOf } from "../request/request-context.js";

/**
 * Notes a header of the answer, in place of one of the same name. They are written in one go with `writeHead`: Node
 * checks, keeps and looks up again each that is set by itself, and eight of them take as long as routing the request.
 *
 * @param name In small letters.
 */
export function addHeader(response: Response, name: string, value: string): void {
  const { headers } = contextOf(response);
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

/** Begins the answer, with all headers that were noted. */
export function writeHead(response: Response, status: number): void {
  response.writeHead(status, contextOf(response).headers);
}

/** Hands over what was noted to Express, where it is the one to answer. */
export function setNotedHeaders(response: Response): void {
  const { headers } = contextOf(response);
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? "", headers[at + 1] ?? "");
}

/** Says in the headers which upstream was asked and how often, unless the operator would rather not. */
export function exposeUpstream(response: Response): void {
  const { upstream, attempts, exposesUpstream } = contextOf(response);
  if (!exposesUpstream || upstream === undefined) return;
  addHeader(response, "x-gateway-upstream", encodeURIComponent(upstream));
  if (attempts !== undefined) addHeader(response, "x-gateway-attempts", String(attempts));
}

/** As Express writes it, without looking it up for every answer. */
export const jsonType = "application/json; charset=utf-8";
