import { createHash, createHmac } from "node:crypto";
import { type FakeIssuer, type IssuerReply, type IssuerRequest, startFakeIssuer } from "./fake-issuer.js";

interface FakeRole {
  readonly externalId?: string;
  /** The ids of access keys that may assume it. */
  readonly trusts?: readonly string[];
  /** Identity tokens that may assume it. */
  readonly tokens?: readonly string[];
}

export interface FakeAws extends FakeIssuer {
  /** The secrets and session tokens of all keys, those that were issued included. */
  readonly keys: Map<string, { readonly secret: string; readonly sessionToken?: string }>;
  /** When each key that was issued ends, in milliseconds since 1970. */
  readonly ends: Map<string, number>;
}

interface FakeAwsOptions {
  readonly now: () => number;
  readonly lifetimeMs?: number;
  readonly roles?: Readonly<Record<string, FakeRole>>;
  /** Sign-ins: the token, and what it may become. */
  readonly signIns?: Readonly<Record<string, { readonly account: string; readonly role: string }>>;
  readonly instanceRole?: string;
  readonly containerToken?: string;
}

/** AWS's token services at one address: STS, the portal of single sign-on, a container's and an instance's. */
export async function startFakeAws(options: FakeAwsOptions): Promise<FakeAws> {
  const keys: FakeAws["keys"] = new Map();
  const ends: FakeAws["ends"] = new Map();
  const { now, lifetimeMs = 3_600_000 } = options;
  const issue = () => {
    const accessKeyId = `ASIA${ends.size + 1}`;
    const key = { secret: `issued-secret-${ends.size + 1}`, sessionToken: `issued-session-${ends.size + 1}` };
    keys.set(accessKeyId, key);
    ends.set(accessKeyId, now() + lifetimeMs);
    return { accessKeyId, ...key, expiresAt: now() + lifetimeMs };
  };
  const issuer = await startFakeIssuer((request) => answer(request, { options, keys, issue }));
  return Object.assign(issuer, { keys, ends });
}

interface Issuing {
  readonly options: FakeAwsOptions;
  readonly keys: FakeAws["keys"];
  readonly issue: () => { accessKeyId: string; secret: string; sessionToken: string; expiresAt: number };
}

function answer(request: IssuerRequest, issuing: Issuing): IssuerReply | undefined {
  const { method, url, headers } = request;
  const { options, issue } = issuing;
  if (method === "POST" && url.pathname === "/") return answerSts(request, issuing);
  if (url.pathname === "/federation/credentials") {
    const given = options.signIns?.[String(headers["x-amz-sso_bearer_token"])];
    const { account_id: account, role_name: role, ...others } = Object.fromEntries(url.searchParams);
    if (given?.account !== account || given?.role !== role || Object.keys(others).length > 0)
      return undefined;
    const { accessKeyId, secret: secretAccessKey, sessionToken, expiresAt: expiration } = issue();
    return { body: { roleCredentials: { accessKeyId, secretAccessKey, sessionToken, expiration } } };
  }
  if (url.pathname === "/container")
    return headers.authorization === options.containerToken ? { body: platformReply(issue()) } : undefined;
  if (method === "PUT" && url.pathname === "/latest/api/token")
    return headers["x-aws-ec2-metadata-token-ttl-seconds"] === undefined ? undefined : { body: "metadata" };
  const roles = "/latest/meta-data/iam/security-credentials/";
  if (!url.pathname.startsWith(roles) || headers["x-aws-ec2-metadata-token"] !== "metadata") return undefined;
  if (options.instanceRole === undefined) return { status: 404, body: "" };
  if (url.pathname === roles) return { body: `${options.instanceRole}\n` };
  return url.pathname === roles + options.instanceRole ? { body: platformReply(issue()) } : undefined;
}

function platformReply(issued: ReturnType<Issuing["issue"]>): object {
  return {
    Code: "Success",
    AccessKeyId: issued.accessKeyId,
    SecretAccessKey: issued.secret,
    Token: issued.sessionToken,
    Expiration: new Date(issued.expiresAt).toISOString(),
  };
}

function answerSts(request: IssuerRequest, issuing: Issuing): IssuerReply | undefined {
  const {
    Action,
    Version,
    RoleArn = "",
    RoleSessionName,
    ...rest
  } = Object.fromEntries(new URLSearchParams(request.text));
  const role = issuing.options.roles?.[RoleArn];
  const isFormed = Version === "2011-06-15" && RoleSessionName !== undefined;
  if (role === undefined || !isFormed || request.headers.accept !== "application/json") return undefined;
  const isTrusted =
    Action === "AssumeRole"
      ? mayAssume(request, { rest, role, issuing })
      : Action === "AssumeRoleWithWebIdentity" &&
        request.headers.authorization === undefined &&
        Object.keys(rest).join() === "WebIdentityToken" &&
        role.tokens?.includes(rest.WebIdentityToken ?? "");
  if (isTrusted !== true) return undefined;
  const { accessKeyId, secret, sessionToken, expiresAt } = issuing.issue();
  const Credentials = {
    AccessKeyId: accessKeyId,
    SecretAccessKey: secret,
    SessionToken: sessionToken,
    Expiration: expiresAt / 1000,
  };
  return { body: { [`${Action}Response`]: { [`${Action}Result`]: { Credentials } } } };
}

interface Assumption {
  readonly rest: Readonly<Record<string, string>>;
  readonly role: FakeRole;
  readonly issuing: Issuing;
}

function mayAssume(request: IssuerRequest, { rest, role, issuing }: Assumption): boolean {
  const { ExternalId, ...others } = rest;
  const id = signerOf(request, issuing);
  const isTrusted = id !== undefined && role.trusts?.includes(id) === true;
  return isTrusted && ExternalId === role.externalId && Object.keys(others).length === 0;
}

/** The id of the key with which a request to STS is signed. Written from AWS's description, without the signing code. */
function signerOf({ headers, text, url }: IssuerRequest, { keys, options }: Issuing): string | undefined {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([a-z0-9-]+)\/sts\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  const [, id = "", day = "", region, names = "", signature] = parts ?? [];
  const key = keys.get(id);
  if (key === undefined || key.sessionToken !== headers["x-amz-security-token"]) return undefined;
  const date = String(headers["x-amz-date"]);
  const signedAt = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (Math.abs(options.now() - signedAt) > 5 * 60_000) return undefined;
  const lines = names.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = ["POST", url.pathname, "", lines.join(""), names, digest(text)].join("\n");
  const scope = `${day}/${region}/sts/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", date, scope, digest(canonical)].join("\n");
  let signing: string | Buffer = `AWS4${key.secret}`;
  for (const part of scope.split("/")) signing = createHmac("sha256", signing).update(part).digest();
  return createHmac("sha256", signing).update(toSign).digest("hex") === signature ? id : undefined;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
