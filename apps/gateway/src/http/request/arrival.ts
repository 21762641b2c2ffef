import type { ServerResponse } from "node:http";
import type { Response } from "express";
import type { Arrival } from "../../execution/request-context.js";
import type { RequestSummary } from "../../execution/request-summary.js";

/**
 * A property of the response itself: `response.locals` is a dictionary and a symbol would turn the whole response into
 * one, and V8 cannot cache lookups in dictionaries.
 */
type WithArrival = Response & { gatewayArrival: Arrival };

/** `beginRequest` runs before everything else, so every response has an arrival. */
export function arrivalOf(response: Response): Arrival {
  return (response as WithArrival).gatewayArrival;
}

/** For `serveOperation`, which hands every phase its part. */
export function summaryOf(response: Response): RequestSummary {
  // It is read-only for all others.
  return arrivalOf(response).summary as RequestSummary;
}

/** The id of the caller. Undefined where the request had no valid key, or did not begin. */
export function callerOf(response: ServerResponse): string | undefined {
  return (response as Partial<Pick<WithArrival, "gatewayArrival">>).gatewayArrival?.summary.caller?.id;
}

export function setArrival(response: Response, arrival: Arrival): void {
  (response as WithArrival).gatewayArrival = arrival;
}
