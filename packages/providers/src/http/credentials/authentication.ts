import type { Readable } from "node:stream";
import type { CredentialState } from "@model-gateway/domain/credential-state";
import type { GatewayError } from "@model-gateway/domain/errors";
import type { Call } from "../../call.js";

/** Authenticates the requests to an upstream: fixed headers, or an authenticator that is called for each request. */
export type Authentication = FixedHeaders | Authenticator;

/** The same headers for every request: names and values in turn. They are resolved once and cost no request anything. */
export type FixedHeaders = readonly string[];

/** Credentials that expire, or that depend on the request. */
export interface Authenticator {
  /** The headers of one request: names and values in turn. Not a promise where they are known already. */
  authenticate(request: SignableRequest, call: Call): readonly string[] | Promise<readonly string[]>;
  /**
   * Called when the upstream has refused the credentials. It gives them up and returns true where the request is worth
   * sending again, once, with new ones.
   *
   * @param refused The headers that were sent.
   */
  renew(refusal: GatewayError, refused: readonly string[]): boolean;
  /** Absent for credentials that neither expire nor change. */
  state?(): CredentialState;
}

/** A request as a signature covers it. */
export interface SignableRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream starts again each time. */
  readonly body: string | Buffer | (() => Readable) | undefined;
}

/** https://www.rfc-editor.org/rfc/rfc6750 */
export function bearer(token: string | undefined): FixedHeaders {
  return token === undefined ? [] : ["authorization", `Bearer ${token}`];
}

/** https://www.rfc-editor.org/rfc/rfc7617 */
export function basic(user: string, password: string): FixedHeaders {
  return ["authorization", `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`];
}

export function isAuthenticator(authentication: Authentication): authentication is Authenticator {
  return "authenticate" in authentication;
}
