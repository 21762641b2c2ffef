import { type FakeIssuer, startFakeIssuer } from "./fake-issuer.js";

export interface FakeVault extends FakeIssuer {
  /** The documents, by mount and path. */
  readonly documents: Map<string, Readonly<Record<string, unknown>>>;
  /** The tokens that are valid now, and their seconds. */
  readonly tokens: Map<string, number>;
}

interface FakeVaultOptions {
  readonly namespace?: string;
  /** The seconds of each token that is issued. */
  readonly tokenSeconds?: number;
}

/** A Vault with version 2 of the key-value store, and the sign-ins of Kubernetes and AppRole. */
export async function startFakeVault({
  namespace,
  tokenSeconds = 3600,
}: FakeVaultOptions = {}): Promise<FakeVault> {
  const documents: FakeVault["documents"] = new Map();
  const tokens: FakeVault["tokens"] = new Map();
  let issued = 0;
  const signIn = () => {
    issued += 1;
    const client_token = `hvs.issued-token-${issued}`;
    tokens.set(client_token, tokenSeconds);
    return { body: { auth: { client_token, lease_duration: tokenSeconds, renewable: true } } };
  };
  const vault = await startFakeIssuer(({ method, url, headers, text }) => {
    const route = `${method} ${url.pathname}`;
    const denied = { status: 403, body: { errors: ["permission denied"] } };
    if (headers["x-vault-namespace"] !== namespace) return denied;
    if (route === "POST /v1/auth/kubernetes/login")
      return text === JSON.stringify({ role: "gateway", jwt: "service-account-jwt" }) ? signIn() : denied;
    if (route === "POST /v1/auth/custom/approle/login")
      return text === JSON.stringify({ role_id: "role-1", secret_id: "app-role-secret" }) ? signIn() : denied;
    const token = String(headers["x-vault-token"]);
    const seconds = tokens.get(token);
    if (seconds === undefined) return denied;
    if (route === "GET /v1/auth/token/lookup-self")
      return { body: { data: { ttl: seconds, renewable: seconds > 0 } } };
    if (route === "POST /v1/auth/token/renew-self")
      return { body: { auth: { client_token: token, lease_duration: seconds, renewable: true } } };
    const [, mount = "", path = ""] = /^GET \/v1\/([^/]+)\/data\/(.+)$/.exec(route) ?? [];
    const data = documents.get(`${mount}/${path}`);
    if (data === undefined) return { status: 404, body: { errors: [] } };
    return { body: { request_id: "1", data: { data, metadata: { version: 1 } } } };
  });
  return Object.assign(vault, { documents, tokens });
}
