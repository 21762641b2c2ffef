import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { adminOperator } from "@model-gateway/domain/operator";
import { typedCommand } from "@model-gateway/domain/typed-command";
import type { Request } from "express";
import {
  bearerOf,
  callerOfOperator,
  callerWithKey,
  challenge,
  invalidKey,
  isKey,
  reasons,
  sessionOver,
} from "../../execution/caller.js";
import type { SignInAttempts } from "../../sessions/sign-in-attempts.js";
import type { SignInCodes } from "../../sessions/sign-in-codes.js";
import { type Authenticate, type AuthenticateOptions, isSessionText } from "./authenticate.js";
import type { ClientAddress } from "./client-address.js";
import { isFromThisMachine } from "./is-from-this-machine.js";

interface SignInOptions extends AuthenticateOptions {
  readonly attempts: SignInAttempts;
  readonly codes: Pick<SignInCodes, "redeem">;
  readonly clientAddress: ClientAddress;
}

/**
 * Requires the key of an operator, an API key or the code of a console link. A right one always gets in; wrong ones have to wait
 * after a few.
 */
export function authenticateSignIn(options: SignInOptions): Authenticate {
  const { keys, findOperator, networkOf, clientAddress, attempts, codes } = options;
  return async (request) => {
    const presented = presentedSecret(request, "a key");
    if (isSessionText(presented)) throw invalidKey("A session cannot create another. Send a key.");
    if (presented.startsWith("mg_code_")) {
      // Before the lookup: a code that reaches the gateway another way stays unused.
      if (!isFromThisMachine(request)) throw errorOf("sign_in_code_not_local", {});
      if (await codes.redeem(presented)) return callerOfOperator(adminOperator);
      throw errorOf("invalid_sign_in_code", { command: typedCommand("link") }, challenge);
    }
    const operator = findOperator(presented, request);
    if (operator !== undefined) return callerOfOperator(operator);
    const verdict = await keys.find(presented, () => networkOf(request));
    if (isKey(verdict)) return callerWithKey(verdict);
    throw (
      attempts.fail({ address: clientAddress(request) ?? "", text: presented }) ??
      invalidKey(reasons[verdict])
    );
  };
}

/** Requires the secret of a session. */
export function authenticateSession({
  sessions,
  networkOf,
}: Pick<AuthenticateOptions, "sessions" | "networkOf">): Authenticate {
  return async (request) => {
    const presented = presentedSecret(request, "the secret of a session");
    if (!isSessionText(presented))
      throw invalidKey("This operation needs the secret of a session, as createSession returns it.");
    const session = await sessions.find(presented, () => networkOf(request));
    if (session === undefined) throw invalidKey(sessionOver);
    if (session.operator !== undefined) return callerOfOperator(session.operator, session);
    const { id, name } = session.key;
    // Such requests are about the session itself, so they are not metered on its key.
    return { id, name, key: undefined, session, operator: undefined };
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
