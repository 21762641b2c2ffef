import type { FailureOf } from "../operations.js";
import type { components } from "../spec.js";
import { isRecord } from "./json.js";
import type { Failure, Result, Success } from "./result.js";

export type Readiness = components["schemas"]["Readiness"];

/** The gateway cannot serve requests now. */
export type NotReady<Failed extends Failure = FailureOf<"checkReadiness">> = Failed & {
  /** Why, and how many models can serve. Null if a proxy in between responded. */
  readonly readiness: Readiness | null;
};

/** The 503 of this probe has the body of its 200, not an error body. */
export function withReadiness(
  result: Result<Readiness>,
  body: unknown,
): Success<Readiness> | NotReady<Failure> {
  if (result.ok) return result;
  if (!isReadiness(body)) return { ...result, readiness: null };
  const message = `The gateway cannot serve requests now: it is ${body.status}.`;
  const error = { ...result.error, message, type: "service_unavailable_error", code: "not_ready" };
  return { ...result, error, readiness: body };
}

function isReadiness(body: unknown): body is Readiness {
  return isRecord(body) && typeof body.status === "string" && isRecord(body.models);
}
