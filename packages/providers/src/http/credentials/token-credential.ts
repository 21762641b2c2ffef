import type { CredentialState } from "@model-gateway/domain/credential-state";
import type { GatewayError } from "@model-gateway/domain/errors";
import type { Call } from "../../call.js";
import type { ProviderTools } from "../../provider.js";
import { type Authenticator, bearer, type SignableRequest } from "./authentication.js";
import { ExpiringCredential } from "./credential.js";

export interface IssuedToken {
  readonly token: string;
  readonly lifetimeMs: number;
  /** Where it is from, if only a call could find that. */
  readonly source?: string;
}

/** Asks the issuer for a token. The signal aborts when that takes too long. */
export type IssueToken = (signal: AbortSignal) => Promise<IssuedToken>;

/** The time of the process, and the filter that learns secrets. */
export type CredentialTools = Pick<ProviderTools, "clock" | "timeOfDay" | "secrets">;

interface TokenCredentialOptions extends CredentialTools {
  /** In words that complete "from". */
  readonly source: string;
  readonly issue: IssueToken;
}

/** A bearer token that is held, renewed before it expires, and renewed once when an upstream refuses it. */
export class TokenCredential implements Authenticator {
  readonly #headers: ExpiringCredential<readonly string[]>;

  constructor({ source, issue, clock, timeOfDay, secrets }: TokenCredentialOptions) {
    this.#headers = new ExpiringCredential({
      source,
      clock,
      timeOfDay,
      issue: async (signal) => {
        const { token, ...issued } = await issue(signal);
        secrets.learn(token);
        return { value: bearer(token), ...issued };
      },
    });
  }

  authenticate(_request: SignableRequest, { signal }: Call): readonly string[] | Promise<readonly string[]> {
    return this.#headers.current(signal);
  }

  /** Only status 401 means that the token itself was refused. */
  renew({ upstreamStatus }: GatewayError, refused: readonly string[]): boolean {
    return upstreamStatus === 401 && this.#headers.giveUp((headers) => headers === refused);
  }

  state(): CredentialState {
    return this.#headers.state();
  }
}
