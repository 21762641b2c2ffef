import { timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import type { ConfigKey } from "../config/config.js";
import { digest } from "../config/resolve-key.js";
import { GatewayError } from "../errors.js";
import { contextOf } from "./request-context.js";

/** Lets a request pass that carries a known key. It runs before the body is read: a stranger's bytes cost nothing. */
export function authenticate(keys: readonly ConfigKey[]): RequestHandler {
  return (request, response, next) => {
    const presented = presentedKeys(request.get("authorization"), request.get("api-key"));
    if (presented.length === 0) {
      throw new GatewayError(
        "missing_api_key",
        "You didn't provide an API key. Send it in the Authorization header as 'Bearer YOUR_KEY', or in the api-key header.",
        challenge,
      );
    }
    const match = presented.map((key) => findKey(keys, key)).find((key) => key !== undefined);
    if (match === undefined)
      throw new GatewayError("invalid_api_key", "Incorrect API key provided.", challenge);
    contextOf(response).caller = match.key.name;
    next();
  };
}

const challenge = { headers: { "www-authenticate": 'Bearer realm="Model Gateway"' } };

/** Some clients send both headers, and leave one of them empty. */
function presentedKeys(authorization: string | undefined, apiKey: string | undefined): string[] {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  return [bearer, apiKey].flatMap((key) => key || []);
}

/** Every key is compared in full, so that the time taken tells nothing of which one came close. */
function findKey(keys: readonly ConfigKey[], presented: string): ConfigKey | undefined {
  const sha256 = digest(presented);
  let match: ConfigKey | undefined;
  for (const key of keys) {
    if (timingSafeEqual(key.sha256, sha256)) match = key;
  }
  return match;
}
