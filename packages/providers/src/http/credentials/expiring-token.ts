import type { GatewayError } from "@model-gateway/domain/errors";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { Clock } from "@model-gateway/runtime/clock";
import type { Call } from "../../call.js";
import { type Authenticator, bearer, type SignableRequest } from "./authentication.js";
import { ExpiringValue } from "./expiring-value.js";

export interface IssuedToken {
  readonly token: string;
  readonly lifetimeMs: number;
}

/** Asks the issuer for a token. The signal aborts when that takes too long. */
export type IssueToken = (signal: AbortSignal) => Promise<IssuedToken>;

interface ExpiringTokenOptions {
  readonly issue: IssueToken;
  readonly clock: Pick<Clock, "now">;
  readonly secrets: Pick<HideSecrets, "learn">;
  /** The headers that carry a token. Default: a bearer token. */
  readonly headersOf?: (token: string) => readonly string[];
}

/** A token that is cached, renewed before it expires, and renewed once when an upstream refuses it. */
export class ExpiringToken implements Authenticator {
  readonly #headers: ExpiringValue<readonly string[]>;

  constructor({ issue, clock, secrets, headersOf = bearer }: ExpiringTokenOptions) {
    this.#headers = new ExpiringValue({
      clock,
      issue: async (signal) => {
        const { token, lifetimeMs } = await issue(signal);
        secrets.learn(token);
        return { value: headersOf(token), lifetimeMs };
      },
    });
  }

  authenticate(_request: SignableRequest, { signal }: Call): readonly string[] | Promise<readonly string[]> {
    return this.#headers.current(signal);
  }

  /** Only status 401 means that the token itself was refused. */
  renew({ upstreamStatus }: GatewayError): boolean {
    if (upstreamStatus !== 401) return false;
    this.#headers.giveUp();
    return true;
  }
}
