import type { RequestHandler } from "express";
import { GatewayError } from "../errors.js";
import type { KeyRing } from "../keys/key-ring.js";
import { bearerOf, challenge, isKey } from "./authenticate.js";
import { addHeader } from "./head.js";
import { contextOf } from "./request-context.js";

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
