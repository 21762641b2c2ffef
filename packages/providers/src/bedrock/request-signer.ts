import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { type Signer, sha256Hex } from "@model-gateway/domain/aws-signature";
import type { CredentialState } from "@model-gateway/domain/credential-state";
import type { GatewayError } from "@model-gateway/domain/errors";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { Call } from "../call.js";
import {
  type Authentication,
  type Authenticator,
  bearer,
  type SignableRequest,
} from "../http/credentials/authentication.js";
import {
  type AwsCredentialTools,
  type AwsSettings,
  findAwsCredential,
} from "../http/credentials/aws/chain.js";
import { RenewedSigner } from "../http/credentials/aws/renewed-signer.js";

interface BedrockCredentials extends AwsSettings {
  readonly apiKey?: string | undefined;
}

/** A key needs no signature. With other credentials every request is signed. Undefined: there are none. */
export function findAuthentication(
  settings: BedrockCredentials,
  tools: AwsCredentialTools,
): Authentication | undefined {
  const apiKey = settings.apiKey ?? keyOfEnvironment(settings, tools);
  if (apiKey !== undefined) {
    tools.secrets.learn(apiKey);
    return bearer(apiKey);
  }
  const credential = findAwsCredential(settings, tools);
  if (credential === undefined) return undefined;
  // The service name in signatures differs from its host.
  const signer = new RenewedSigner(credential, { region: settings.region ?? "", service: "bedrock" });
  return new RequestSigner(signer, tools.timeOfDay);
}

/** The settings come before the environment. */
function keyOfEnvironment(
  { accessKeyId, profile, role }: BedrockCredentials,
  { environment }: AwsCredentialTools,
): string | undefined {
  const isChosen = accessKeyId !== undefined || profile !== undefined || role !== undefined;
  return isChosen ? undefined : environment.AWS_BEARER_TOKEN_BEDROCK || undefined;
}

/** The classes of refusals after which new credentials may help. */
const staleCredentials = /, code (?:ExpiredTokenException|ExpiredToken|UnrecognizedClientException)$/;

/** Signs requests with AWS Signature Version 4. */
class RequestSigner implements Authenticator {
  readonly #signer: RenewedSigner;
  readonly #timeOfDay: () => number;

  constructor(signer: RenewedSigner, timeOfDay: () => number) {
    this.#signer = signer;
    this.#timeOfDay = timeOfDay;
  }

  authenticate(request: SignableRequest, { signal }: Call): readonly string[] | Promise<readonly string[]> {
    const signer = this.#signer.current(signal);
    const { body } = request;
    if (body === undefined) throw new Error("A signature covers the body, and there is none.");
    const payloadSha256 = typeof body === "function" ? hashStream(body(), signal) : sha256Hex(body);
    return !(signer instanceof Promise) && typeof payloadSha256 === "string"
      ? this.#sign(request, signer, payloadSha256)
      : Promise.all([signer, payloadSha256]).then(([one, digest]) => this.#sign(request, one, digest));
  }

  renew({ cause }: GatewayError, refused: readonly string[]): boolean {
    if (!(cause instanceof Error) || !staleCredentials.test(cause.message)) return false;
    return this.#signer.giveUp(refused.join("\n"));
  }

  state(): CredentialState {
    return this.#signer.state();
  }

  #sign({ method, url }: SignableRequest, signer: Signer, payloadSha256: string): readonly string[] {
    const request = { method, host: url.host, path: url.pathname, query: {}, headers: {}, payloadSha256 };
    return Object.entries(signer.sign(request, this.#timeOfDay())).flat();
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
