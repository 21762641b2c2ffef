import { type AwsCredentials, Signer } from "@model-gateway/domain/aws-signature";
import type { CredentialState } from "@model-gateway/domain/credential-state";
import type { ExpiringCredential } from "../credential.js";

interface RenewedSignerOptions {
  readonly region: string;
  /** The name of the service in signatures, such as `s3`. */
  readonly service: string;
}

/** A signer of requests whose credentials are renewed. */
export class RenewedSigner {
  readonly #credential: ExpiringCredential<AwsCredentials>;
  readonly #options: RenewedSignerOptions;
  #last: { readonly credentials: AwsCredentials; readonly signer: Signer } | undefined;

  constructor(credential: ExpiringCredential<AwsCredentials>, options: RenewedSignerOptions) {
    this.#credential = credential;
    this.#options = options;
  }

  /** Not a promise where the credentials are known already. */
  current(signal: AbortSignal): Signer | Promise<Signer> {
    const credentials = this.#credential.current(signal);
    return credentials instanceof Promise
      ? credentials.then((issued) => this.#signerOf(issued))
      : this.#signerOf(credentials);
  }

  /**
   * Returns whether there may be other credentials.
   *
   * @param authorization The header of the request that was refused.
   */
  giveUp(authorization: string): boolean {
    return this.#credential.giveUp(({ accessKeyId }) =>
      authorization.includes(` Credential=${accessKeyId}/`),
    );
  }

  state(): CredentialState {
    return this.#credential.state();
  }

  #signerOf(credentials: AwsCredentials): Signer {
    // A signer keeps the key of the day.
    if (this.#last?.credentials !== credentials)
      this.#last = { credentials, signer: new Signer({ ...credentials, ...this.#options }) };
    return this.#last.signer;
  }
}
