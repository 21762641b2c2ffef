import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { adminOperator } from "@model-gateway/domain/operator";
import type { Request } from "express";
import {
  bearerOf,
  type Caller,
  callerOfOperator,
  callerWithKey,
  challenge,
  invalidKey,
  isKey,
  reasons,
  sessionOver,
} from "../../execution/caller.js";
import { headerOf } from "../../execution/request-context.js";
import type { KeyLookup, KeyRefusal, KeyRing, NetworkOf } from "../../keys/key-ring.js";
import type { Sessions } from "../../sessions/sessions.js";
import type { FindOperator } from "./local-secret.js";

export interface AuthenticateOptions {
  readonly keys: Pick<KeyRing, "find">;
  readonly findOperator: FindOperator;
  readonly sessions: Pick<Sessions, "find">;
  /** The network of the client that sent a request. */
  readonly networkOf: (request: Request) => string;
}

/** Finds out who sends a request, or throws a 401 or 403. It runs before the body is read, so a stranger costs little. */
export type Authenticate = (request: Request) => Promise<Caller>;

/** Requires a valid API key, or the secret of a session. */
export function authenticate({ keys, findOperator, sessions, networkOf }: AuthenticateOptions): Authenticate {
  return async (request) => {
    const presented = presentedKeys(request.headers.authorization, headerOf(request, "api-key"));
    if (presented.length === 0) {
      throw new GatewayError(
        "missing_api_key",
        "You didn't provide an API key. Send it in the Authorization header as 'Bearer YOUR_KEY', or in the api-key header.",
        challenge,
      );
    }
    const network = () => networkOf(request);
    // A session secret is recognizable. Looking it up among the keys would miss and query the database.
    const sessionText = presented.find(isSessionText);
    const session = sessionText === undefined ? undefined : await sessions.find(sessionText, network);
    const verdict = session?.key ?? (await firstKey(presented.map((text) => keys.find(text, network))));
    if (!isKey(verdict)) throw refused(verdict, presented, request);
    return callerWithKey(verdict, session);
  };

  function refused(refusal: KeyRefusal, presented: readonly string[], request: Request): GatewayError {
    const operator = presented.flatMap((text) => findOperator(text, request) ?? [])[0];
    if (operator !== undefined)
      return invalidKey(
        `${operator.name === adminOperator.name ? "The admin key" : "The key of an operator"} cannot be used for this operation. Create an API key with it, and send that key.`,
      );
    return invalidKey(presented.some(isSessionText) ? sessionOver : reasons[refusal]);
  }
}

/** Requires a valid API key, the key of an operator, or the secret of a session. */
export function authenticateAny(options: AuthenticateOptions): Authenticate {
  const authenticateCaller = authenticate(options);
  return async (request) => {
    const presented = bearerOf(headerOf(request, "authorization"));
    const operator = presented === undefined ? undefined : options.findOperator(presented, request);
    return operator === undefined ? authenticateCaller(request) : callerOfOperator(operator);
  };
}

/** Some clients send both headers and leave one of them empty. */
function presentedKeys(authorization: string | undefined, apiKey: string | undefined): string[] {
  const keys: string[] = [];
  const bearer = bearerOf(authorization);
  if (bearer) keys.push(bearer);
  if (apiKey) keys.push(apiKey);
  return keys;
}

/** The first valid key. Without one: throws a failed lookup, or returns the most specific refusal. */
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

export function isSessionText(text: string): boolean {
  return text.startsWith("mg_session_");
}

/** Requires the key or the session of an operator. The key or session of a caller gets 403, anything else 401. */
export function authenticateAdmin({
  keys,
  findOperator,
  sessions,
  networkOf,
}: AuthenticateOptions): Authenticate {
  return async (request) => {
    const presented = bearerOf(request.get("authorization"));
    if (presented === undefined) {
      throw new GatewayError(
        "missing_api_key",
        "You didn't provide the admin key. Send it in the Authorization header as 'Bearer YOUR_ADMIN_KEY'.",
        challenge,
      );
    }
    const operator = findOperator(presented, request);
    if (operator !== undefined) return callerOfOperator(operator);
    return callerOfSession(presented, () => networkOf(request));
  };

  async function callerOfSession(presented: string, network: NetworkOf): Promise<Caller> {
    if (isSessionText(presented)) {
      const session = await sessions.find(presented, network);
      if (session === undefined) throw invalidKey(sessionOver);
      if (session.operator !== undefined) return callerOfOperator(session.operator, session);
    } else if (!isKey(await keys.find(presented, network))) throw invalidKey("Incorrect admin key provided.");
    throw errorOf("admin_key_required", {});
  }
}
