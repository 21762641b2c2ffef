import { isObject, objectAt } from "@model-gateway/runtime/json";
import { z } from "zod";
import { parseObject } from "../../errors/read-error.js";
import { textSetting } from "../../remote-settings.js";
import { ExpiringCredential, type IssuedValue } from "../credential.js";
import { readTokenFile } from "../read-token-file.js";
import { IssuerRefusal, requestFromIssuer } from "../request-token.js";
import type { CredentialTools } from "../token-credential.js";

const mount = z
  .string()
  .regex(/^[\w-]+(\/[\w-]+)*$/, "must be a path such as kubernetes")
  .describe("Where the method is mounted.");

/** How the gateway signs in to a Vault. */
const authSettings = z
  .strictObject({
    kubernetes: z
      .strictObject({
        role: textSetting("The role at Vault."),
        mount: mount.default("kubernetes"),
        tokenFile: textSetting("The token of the service account.").default(
          "/var/run/secrets/kubernetes.io/serviceaccount/token",
        ),
      })
      .optional(),
    appRole: z
      .strictObject({
        roleId: textSetting("The id of the role."),
        secretId: textSetting("Its secret. Take it from the environment: ${NAME}."),
        mount: mount.default("approle"),
      })
      .optional(),
    token: textSetting(
      "A token, which is renewed if that is allowed. Take it from the environment: ${NAME}.",
    ).optional(),
  })
  .refine((auth) => Object.keys(auth).length === 1, "must be one of kubernetes, appRole and token");

/** A HashiCorp Vault, or OpenBao. */
export const vaultSettings = z.strictObject({
  address: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .describe("The address of Vault, such as https://vault.example:8200."),
  namespace: textSetting("The namespace, where there are several.").optional(),
  auth: authSettings,
});

type VaultSettings = z.output<typeof vaultSettings>;

/** Reads documents of the key-value store, version 2. https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2 */
export class VaultSecrets {
  readonly #settings: VaultSettings;
  readonly #token: ExpiringCredential<string>;

  constructor(settings: VaultSettings, { clock, timeOfDay, secrets }: CredentialTools) {
    this.#settings = settings;
    this.#token = new ExpiringCredential({
      source: `the sign-in at ${new URL(settings.address).host}`,
      clock,
      timeOfDay,
      issue: async (signal) => {
        const issued = await this.#signIn(signal);
        secrets.learn(issued.value);
        return issued;
      },
    });
  }

  /** @param path The mount, and the path below it. */
  async read(path: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const [store = "", ...steps] = path.split("/");
    const address = `${store}/data/${steps.join("/")}`;
    const token = await this.#token.current(signal);
    try {
      return documentOf(await this.#send("GET", address, { token, signal }));
    } catch (failure) {
      // A token that was revoked is refused with 403, as a path that it may not read.
      if (!(failure instanceof IssuerRefusal) || failure.status !== 403) throw failure;
      if (!this.#token.giveUp((held) => held === token)) throw failure;
      const renewed = await this.#token.current(signal);
      return documentOf(await this.#send("GET", address, { token: renewed, signal }));
    }
  }

  async #signIn(signal: AbortSignal): Promise<IssuedValue<string>> {
    const { kubernetes, appRole, token } = this.#settings.auth;
    if (token !== undefined) return this.#renew(token, signal);
    const [method, body] =
      kubernetes === undefined
        ? [appRole?.mount, { role_id: appRole?.roleId, secret_id: appRole?.secretId }]
        : [kubernetes.mount, { role: kubernetes.role, jwt: await readTokenFile(kubernetes.tokenFile) }];
    const reply = await this.#send("POST", `auth/${method}/login`, { body, signal });
    return readSignIn(reply, undefined);
  }

  /** A token that may not be renewed, such as a root token, is used as long as it lives. */
  async #renew(token: string, signal: AbortSignal): Promise<IssuedValue<string>> {
    const { ttl, renewable } = objectAt(
      parseObject(await this.#send("GET", "auth/token/lookup-self", { token, signal })) ?? {},
      "data",
    );
    if (renewable !== true) return { value: token, lifetimeMs: lifetimeOf(ttl) };
    const reply = await this.#send("POST", "auth/token/renew-self", { token, body: {}, signal });
    return readSignIn(reply, token);
  }

  #send(method: "GET" | "POST", path: string, { token, body, signal }: VaultRequest): Promise<string> {
    const { address, namespace } = this.#settings;
    return requestFromIssuer({
      method,
      url: `${address.replace(/\/+$/, "")}/v1/${path}`,
      headers: {
        ...(token === undefined ? {} : { "x-vault-token": token }),
        ...(namespace === undefined ? {} : { "x-vault-namespace": namespace }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
  }
}

interface VaultRequest {
  readonly token?: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

function readSignIn(reply: string, own: string | undefined): IssuedValue<string> {
  const { client_token: given, lease_duration: seconds } = objectAt(parseObject(reply) ?? {}, "auth");
  const value = own ?? given;
  if (typeof value !== "string" || value === "") throw new Error("The reply of Vault has no token.");
  return { value, lifetimeMs: lifetimeOf(seconds) };
}

/** 0 seconds are for ever. */
function lifetimeOf(seconds: unknown): number {
  if (typeof seconds !== "number" || seconds < 0)
    throw new Error("Vault does not say how long a token lives.");
  return seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000;
}

function documentOf(reply: string): Readonly<Record<string, unknown>> {
  const document = objectAt(parseObject(reply) ?? {}, "data").data;
  if (!isObject(document))
    throw new Error("The reply of Vault has no secret of a key-value store, version 2.");
  return document;
}
