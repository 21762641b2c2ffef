import type { RequestHandler, Response } from "express";
import type { AccessKey } from "../../domain/access-key.js";
import { GatewayError } from "../../errors.js";
import type { KeyRefusal, KeyRing, KeyVerdict } from "../../keys/key-ring.js";
import { addHeader } from "../response/headers.js";
import { contextOf, headerOf } from "./request-context.js";

/**
 * Lets a request pass that carries a key that works. It runs before the body is read: a stranger's bytes cost nothing.
 * A key that is known is let pass at once, without a promise.
 */
export function authenticate(
  keys: Pick<KeyRing, "find">,
  isAdminKey: (text: string) => boolean,
): RequestHandler {
  return (request, response, next) => {
    const presented = presentedKeys(request.headers.authorization, headerOf(request, "api-key"));
    if (presented.length === 0) {
      throw new GatewayError(
        "missing_api_key",
        "You didn't provide an API key. Send it in the Authorization header as 'Bearer YOUR_KEY', or in the api-key header.",
        challenge,
      );
    }
    const verdicts: (KeyVerdict | Promise<KeyVerdict>)[] = [];
    for (const text of presented) {
      const verdict = keys.find(text);
      if (isKey(verdict)) {
        admit(response, verdict);
        next();
        return undefined;
      }
      verdicts.push(verdict);
    }
    return settle(verdicts).then((settled) => {
      if (!isKey(settled)) throw refused(settled, presented.some(isAdminKey));
      admit(response, settled);
      next();
    });
  };
}

export const challenge = { headers: { "www-authenticate": 'Bearer realm="Model Gateway"' } };

/** Some clients send both headers, and leave one of them empty. */
function presentedKeys(authorization: string | undefined, apiKey: string | undefined): string[] {
  const keys: string[] = [];
  const bearer = bearerOf(authorization);
  if (bearer) keys.push(bearer);
  if (apiKey) keys.push(apiKey);
  return keys;
}

export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

/** The first key, else the failure that kept one from being found, else the refusal that says most. */
async function settle(verdicts: readonly (KeyVerdict | Promise<KeyVerdict>)[]): Promise<KeyVerdict> {
  const outcomes = await Promise.allSettled(verdicts);
  const found = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  const key = found.find(isKey);
  if (key === undefined && failed !== undefined) throw failed.reason;
  return key ?? found.find((verdict) => verdict !== "unknown") ?? "unknown";
}

export function isKey(verdict: KeyVerdict | Promise<KeyVerdict>): verdict is AccessKey {
  return typeof verdict !== "string" && !(verdict instanceof Promise);
}

function admit(response: Response, key: AccessKey): void {
  const context = contextOf(response);
  context.key = key;
  context.caller = key.id;
  context.callerName = key.name;
}

const reasons: Readonly<Record<KeyRefusal, string>> = {
  unknown: "Incorrect API key provided.",
  disabled: "This API key is disabled.",
  expired: "This API key has expired.",
  revoked: "This API key was revoked.",
};

function refused(refusal: KeyRefusal, isAdmin: boolean): GatewayError {
  const reason = isAdmin
    ? "The admin key does not open this operation; use a key that was made with it."
    : reasons[refusal];
  return new GatewayError("invalid_api_key", reason, challenge);
}

/** Lets the operator pass. Whoever has another key that works is told that it is the wrong one. */
export function authenticateAdmin(
  keys: Pick<KeyRing, "find">,
  isAdminKey: (text: string) => boolean,
): RequestHandler {
  return async (request, response, next) => {
    // What the admin API tells is for the operator alone, be it an answer or an error.
    addHeader(response, "cache-control", "no-store");
    const presented = bearerOf(request.get("authorization"));
    if (presented === undefined) {
      throw new GatewayError(
        "missing_api_key",
        "You didn't provide the admin key. Send it in the Authorization header as 'Bearer YOUR_ADMIN_KEY'.",
        challenge,
      );
    }
    if (!isAdminKey(presented)) {
      if (!isKey(await keys.find(presented)))
        throw new GatewayError("invalid_api_key", "Incorrect admin key provided.", challenge);
      throw new GatewayError("admin_key_required", "This operation needs the admin key.");
    }
    contextOf(response).caller = "admin";
    next();
  };
}
