import type { Response } from "express";
import { addHeader } from "./head.js";
import { contextOf } from "./request-context.js";

/** Says in the headers which upstream was asked and how often, unless the operator would rather not. */
export function tellUpstream(response: Response): void {
  const { upstream, attempts, tellsUpstream } = contextOf(response);
  if (!tellsUpstream || upstream === undefined) return;
  addHeader(response, "x-gateway-upstream", encodeURIComponent(upstream));
  if (attempts !== undefined) addHeader(response, "x-gateway-attempts", String(attempts));
}
