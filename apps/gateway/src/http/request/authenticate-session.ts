import type { Request, RequestHandler } from "express";
import { GatewayError } from "../../errors.js";
import type { SignInAttempts } from "../../sessions/sign-in-attempts.js";
import { addHeader } from "../response/headers.js";
import {
  type AuthenticateOptions,
  bearerOf,
  challenge,
  invalidKey,
  isKey,
  isSessionText,
  reasons,
  sessionOver,
  useKey,
} from "./authenticate.js";
import { contextOf } from "./request-context.js";

export interface SignInOptions extends AuthenticateOptions {
  readonly attempts: SignInAttempts;
}

/** Requires the admin key or an API key. A right one always gets in; wrong ones have to wait after a few. */
export function authenticateSignIn(options: SignInOptions): RequestHandler {
  const { keys, isAdminKey, clientAddress, attempts } = options;
  return async (request, response, next) => {
    addHeader(response, "cache-control", "no-store");
    const context = contextOf(response);
    context.address = clientAddress(request);
    const presented = presentedSecret(request, "a key");
    if (isSessionText(presented)) throw invalidKey("A session cannot create another. Send a key.");
    if (isAdminKey(presented)) context.caller = "admin";
    else {
      const verdict = await keys.find(presented);
      if (!isKey(verdict))
        throw (
          attempts.fail({ address: context.address ?? "", text: presented }) ?? invalidKey(reasons[verdict])
        );
      useKey(context, verdict);
    }
    next();
  };
}

/** Requires the secret of a session. */
export function authenticateSession(
  options: Pick<AuthenticateOptions, "sessions" | "clientAddress">,
): RequestHandler {
  const { sessions, clientAddress } = options;
  return async (request, response, next) => {
    addHeader(response, "cache-control", "no-store");
    const context = contextOf(response);
    context.address = clientAddress(request);
    const presented = presentedSecret(request, "the secret of a session");
    if (!isSessionText(presented))
      throw invalidKey("This operation needs the secret of a session, as createSession returns it.");
    const session = await sessions.find(presented);
    if (session === undefined) throw invalidKey(sessionOver);
    context.session = session;
    context.caller = session.kind === "operator" ? "admin" : session.key.id;
    context.callerName = session.kind === "operator" ? undefined : session.key.name;
    next();
  };
}

function presentedSecret(request: Request, what: string): string {
  const presented = bearerOf(request.get("authorization"));
  if (presented !== undefined) return presented;
  throw new GatewayError(
    "missing_api_key",
    `You didn't provide ${what}. Send it in the Authorization header as 'Bearer YOUR_KEY'.`,
    challenge,
  );
}
