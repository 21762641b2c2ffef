import type { Response } from "express";
import { contextOf } from "./request-context.js";

/** Says in the headers which upstream was asked and how often, unless the operator would rather not. */
export function tellUpstream(response: Response): void {
  const { upstream, attempts, tellsUpstream } = contextOf(response);
  if (!tellsUpstream || upstream === undefined) return;
  response.setHeader("x-gateway-upstream", encodeURIComponent(upstream));
  if (attempts !== undefined) response.setHeader("x-gateway-attempts", String(attempts));
}
