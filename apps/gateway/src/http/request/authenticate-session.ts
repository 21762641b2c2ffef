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

/** Requires the admin key or an API key. An address that sends wrong ones has to wait. */
export function authenticateSignIn({ keys, isAdminKey, attempts }: SignInOptions): RequestHandler {
  return async (request, response, next) => {
    addHeader(response, "cache-control", "no-store");
    const address = request.socket.remoteAddress ?? "";
    attempts.check(address);
    const presented = presentedSecret(request, "a key");
    if (isSessionText(presented)) throw invalidKey("A session cannot create another. Send a key.");
    const context = contextOf(response);
    if (isAdminKey(presented)) context.caller = "admin";
    else {
      const verdict = await keys.find(presented);
      if (!isKey(verdict)) {
        attempts.fail(address);
        throw invalidKey(reasons[verdict]);
      }
      useKey(context, verdict);
    }
    attempts.succeed(address);
    next();
  };
}

/** Requires the secret of a session. */
export function authenticateSession({ sessions }: Pick<AuthenticateOptions, "sessions">): RequestHandler {
  return async (request, response, next) => {
    addHeader(response, "cache-control", "no-store");
    const presented = presentedSecret(request, "the secret of a session");
    if (!isSessionText(presented))
      throw invalidKey("This operation needs the secret of a session, as createSession returns it.");
    const session = await sessions.find(presented);
    if (session === undefined) throw invalidKey(sessionOver);
    const context = contextOf(response);
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
