import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { type AwsCredentials, Signer, sha256Hex } from "@model-gateway/domain/aws-signature";
import type { GatewayError } from "@model-gateway/domain/errors";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { Call } from "../call.js";
import {
  type Authentication,
  type Authenticator,
  bearer,
  type SignableRequest,
} from "../http/credentials/authentication.js";
import { ExpiringValue } from "../http/credentials/expiring-value.js";
import type { ProviderTools } from "../provider.js";
import type { CredentialSource } from "./credentials.js";

/** A key needs no signature. With other credentials every request is signed. */
export function authenticationFor(
  source: CredentialSource,
  region: string,
  { clock, timeOfDay, secrets }: Pick<ProviderTools, "clock" | "timeOfDay" | "secrets">,
): Authentication {
  switch (source.kind) {
    case "key":
      secrets.learn(source.apiKey);
      return bearer(source.apiKey);
    case "none":
      return [];
    case "fixed":
      learnCredentials(source.credentials, secrets);
      return new RequestSigner(signerOf(source.credentials, region), timeOfDay);
    case "issued": {
      const signers = new ExpiringValue({
        clock,
        issue: async (signal) => {
          const { value, lifetimeMs } = await source.issue(signal);
          learnCredentials(value, secrets);
          return { value: signerOf(value, region), lifetimeMs };
        },
      });
      return new RequestSigner(signers, timeOfDay);
    }
  }
}

/** They may be from the environment, which the configuration does not mention. */
function learnCredentials(credentials: AwsCredentials, secrets: ProviderTools["secrets"]): void {
  for (const secret of Object.values(credentials)) if (secret !== undefined) secrets.learn(secret);
}

/** The service name in signatures differs from its host. */
function signerOf(credentials: AwsCredentials, region: string): Signer {
  return new Signer({ ...credentials, region, service: "bedrock" });
}

/** The classes of refusals after which new credentials may help. */
const staleCredentials = /, code (?:ExpiredTokenException|ExpiredToken|UnrecognizedClientException)$/;

/** Signs requests with AWS Signature Version 4. */
class RequestSigner implements Authenticator {
  readonly #signer: Signer | ExpiringValue<Signer>;
  readonly #timeOfDay: () => number;

  constructor(signer: Signer | ExpiringValue<Signer>, timeOfDay: () => number) {
    this.#signer = signer;
    this.#timeOfDay = timeOfDay;
  }

  authenticate(request: SignableRequest, { signal }: Call): readonly string[] | Promise<readonly string[]> {
    const signer = this.#signer instanceof Signer ? this.#signer : this.#signer.current(signal);
    const { body } = request;
    if (body === undefined) throw new Error("A signature covers the body, and there is none.");
    const payloadSha256 = typeof body === "function" ? hashStream(body(), signal) : sha256Hex(body);
    return signer instanceof Signer && typeof payloadSha256 === "string"
      ? this.#sign(request, signer, payloadSha256)
      : Promise.all([signer, payloadSha256]).then(([one, digest]) => this.#sign(request, one, digest));
  }

  renew({ cause }: GatewayError): boolean {
    if (this.#signer instanceof Signer) return false;
    if (!(cause instanceof Error) || !staleCredentials.test(cause.message)) return false;
    this.#signer.giveUp();
    return true;
  }

  #sign({ method, url }: SignableRequest, signer: Signer, payloadSha256: string): readonly string[] {
    const signed = signer.sign(
      {
        method,
        host: url.host,
        path: url.pathname,
        query: {},
        headers: {},
        payloadSha256,
      },
      this.#timeOfDay(),
    );
    return Object.entries(signed).flat();
  }
}

/** Images are read once for the signature and once to be sent, so that they are never whole in memory. */
async function hashStream(body: Readable, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const slice = new TimeSlice();
  for await (const chunk of body as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    hash.update(chunk);
    if (slice.isOver) await slice.yield();
  }
  return hash.digest("hex");
}
