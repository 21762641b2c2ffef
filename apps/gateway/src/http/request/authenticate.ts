import type { RequestHandler } from "express";
import type { AccessKey } from "../../domain/access-key.js";
import { GatewayError } from "../../errors.js";
import type { KeyLookup, KeyRefusal, KeyRing } from "../../keys/key-ring.js";
import { addHeader } from "../response/headers.js";
import { contextOf, headerOf } from "./request-context.js";

/** Requires a valid API key. It runs before the body is read, so an unauthenticated caller costs little. */
export function authenticate(
  keys: Pick<KeyRing, "find">,
  isAdminKey: (text: string) => boolean,
): RequestHandler {
  return async (request, response, next) => {
    const presented = presentedKeys(request.headers.authorization, headerOf(request, "api-key"));
    if (presented.length === 0) {
      throw new GatewayError(
        "missing_api_key",
        "You didn't provide an API key. Send it in the Authorization header as 'Bearer YOUR_KEY', or in the api-key header.",
        challenge,
      );
    }
    const verdict = await firstKey(presented.map((text) => keys.find(text)));
    if (!isKey(verdict)) throw refused(verdict, presented.some(isAdminKey));
    const context = contextOf(response);
    context.key = verdict;
    context.caller = verdict.id;
    context.callerName = verdict.name;
    next();
  };
}

export const challenge = { headers: { "www-authenticate": 'Bearer realm="Model Gateway"' } };

/** Some clients send both headers and leave one of them empty. */
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

/** The first valid key. If there is none: throws a failed lookup, or returns the most specific refusal. */
async function firstKey(lookups: readonly Promise<KeyLookup>[]): Promise<KeyLookup> {
  const [only] = lookups;
  if (only !== undefined && lookups.length === 1) return only;
  const outcomes = await Promise.allSettled(lookups);
  const verdicts = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  const key = verdicts.find(isKey);
  if (key === undefined && failed !== undefined) throw failed.reason;
  return key ?? verdicts.find((verdict) => verdict !== "unknown") ?? "unknown";
}

export function isKey(verdict: KeyLookup): verdict is AccessKey {
  return typeof verdict !== "string";
}

const reasons: Readonly<Record<KeyRefusal, string>> = {
  unknown: "Incorrect API key provided.",
  disabled: "This API key is disabled.",
  expired: "This API key has expired.",
  revoked: "This API key was revoked.",
};

function refused(refusal: KeyRefusal, isAdmin: boolean): GatewayError {
  const reason = isAdmin
    ? "The admin key cannot be used for this operation. Create an API key with it, and send that key."
    : reasons[refusal];
  return new GatewayError("invalid_api_key", reason, challenge);
}

/** Requires the admin key. A valid API key gets 403, any other key 401. */
export function authenticateAdmin(
  keys: Pick<KeyRing, "find">,
  isAdminKey: (text: string) => boolean,
): RequestHandler {
  return async (request, response, next) => {
    // Admin responses and errors are for the operator alone.
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
