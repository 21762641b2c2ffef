import { isRecord } from "./is-record.js";
import { type Exchange, readAnswer } from "./read-answer.js";
import type { Failure, Success } from "./result.js";
import type { components } from "./spec.js";

export type Readiness = components["schemas"]["Readiness"];

/** The gateway can not serve requests now. */
export interface NotReady extends Failure {
  /** Why, and how many models can serve. Null when something in between answered. */
  readonly readiness: Readiness | null;
}

/** Reads the one answer whose failure is not an error body: a 503 of the probe says why in the same words as its 200. */
export function readReadiness(exchange: Exchange): Success<Readiness> | NotReady {
  const result = readAnswer("checkReadiness", exchange);
  if (result.ok) return result;
  if (!isReadiness(exchange.error)) return { ...result, readiness: null };
  const message = `The gateway can not serve requests now: it is ${exchange.error.status}.`;
  const error = { ...result.error, message, type: "service_unavailable_error", code: "not_ready" };
  return { ...result, error, readiness: exchange.error };
}

function isReadiness(body: unknown): body is Readiness {
  return isRecord(body) && typeof body.status === "string" && isRecord(body.models);
}
