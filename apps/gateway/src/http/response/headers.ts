import type { Response } from "express";
import { noteHeader, noteHeaders } from "../../execution/response-headers.js";
import { arrivalOf } from "../request/arrival.js";

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

/** Begins the response with all noted headers. */
export function writeHead(response: Response, status: number): void {
  response.writeHead(status, arrivalOf(response).headers);
}

/** Hands the noted headers to Express, for responses that Express itself writes. */
export function setNotedHeaders(response: Response): void {
  const { headers } = arrivalOf(response);
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? "", headers[at + 1] ?? "");
}
