import type { AccessKey } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import { adminOperator, type Operator } from "@model-gateway/domain/operator";
import type { KeyLookup, KeyRefusal } from "../keys/key-ring.js";
import type { ActiveSession } from "../sessions/sessions.js";

/** The sender of a request. */
export interface Caller {
  /** The id of its key, `admin`, or `operator:` and the name of an operator. Queues are fair between these, and the log has them. */
  readonly id: string;
  /** The name of its key. */
  readonly name: string | undefined;
  /** The key that the request is metered on. Absent for the key of an operator. */
  readonly key: AccessKey | undefined;
  /** The session whose secret was sent. Undefined where it was a key. */
  readonly session: ActiveSession | undefined;
  /** Present where the key or the session is that of an operator. */
  readonly operator: Operator | undefined;
}

export function callerWithKey(key: AccessKey, session?: ActiveSession): Caller {
  return { id: key.id, name: key.name, key, session, operator: session?.operator };
}

/** An operator with a key, or with a session that was opened with it. */
export function callerOfOperator(operator: Operator, session?: ActiveSession): Caller {
  const id = operator.name === adminOperator.name ? "admin" : `operator:${operator.name}`;
  return { id, name: undefined, key: undefined, session, operator };
}

/** The key in an `authorization` header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

export function isKey(verdict: KeyLookup): verdict is AccessKey {
  return typeof verdict !== "string";
}

export const sessionOver = "This session has ended. Sign in again.";

export const reasons: Readonly<Record<KeyRefusal, string>> = {
  unknown: "Incorrect API key provided.",
  disabled: "This API key is disabled.",
  expired: "This API key has expired.",
  revoked: "This API key was revoked.",
  replaced: "This API key was replaced. Use its new secret.",
};

export const challenge = { headers: { "www-authenticate": 'Bearer realm="Model Gateway"' } };

export function invalidKey(message: string): GatewayError {
  return new GatewayError("invalid_api_key", message, challenge);
}
