import { createHash, createHmac } from "node:crypto";
import type { FakeReply, FakeRequest } from "../strict-server.js";

/** The access keys that the fake knows: their secrets, and the session token that must come with them. */
export interface AccessKey {
  readonly secret: string;
  readonly sessionToken?: string;
}

const skewMaxMs = 5 * 60_000;

/**
 * Verifies Signature Version 4 from the bytes of a request, without the signing code. Returns the service's refusal;
 * undefined for a valid signature.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function verifySignature(
  request: FakeRequest,
  keys: ReadonlyMap<string, AccessKey>,
  region: string,
): FakeReply | undefined {
  const { headers } = request;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (parts === null)
    return refusal("IncompleteSignatureException", "Authorization header is not in the correct format.");
  const [, id = "", day = "", scopeRegion, service, names = "", signature] = parts;
  const key = keys.get(id);
  if (key === undefined || key.sessionToken !== headers["x-amz-security-token"])
    return refusal("UnrecognizedClientException", "The security token included in the request is invalid.");
  if (scopeRegion !== region || service !== "bedrock")
    return refusal(
      "InvalidSignatureException",
      "Credential should be scoped to a correct service and region.",
    );
  const date = String(headers["x-amz-date"]);
  const signedAt = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!date.startsWith(day) || !(Math.abs(Date.now() - signedAt) <= skewMaxMs))
    return refusal("InvalidSignatureException", "Signature expired.");
  const signed = names.split(";");
  const mustBeSigned = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  if (mustBeSigned.some((name) => !signed.includes(name)) || [...signed].sort().join() !== signed.join())
    return refusal("InvalidSignatureException", "A header is not signed.");
  const scope = `${day}/${scopeRegion}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", date, scope, digest(canonical(request, signed))].join("\n");
  const secrets = [day, scopeRegion, service, "aws4_request"];
  const signingKey = secrets.reduce<string | Buffer>(
    (before, part) => hmac(before, part),
    `AWS4${key.secret}`,
  );
  return hmac(signingKey, text).toString("hex") === signature
    ? undefined
    : refusal("InvalidSignatureException", "The request signature we calculated does not match.");
}

/** The path is encoded once more than it is on the wire. */
function canonical({ method, path, headers, text }: FakeRequest, signed: readonly string[]): string {
  const [route = "", query = ""] = path.split("?");
  const twice = route.replace(/[^A-Za-z0-9\-._~/]/g, (letter) => encodeURIComponent(letter));
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join("");
  return [method, twice, query, lines, signed.join(";"), digest(text)].join("\n");
}

function digest(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text, "utf8").digest();
}

function refusal(type: string, message: string): FakeReply {
  return {
    status: 403,
    headers: { "x-amzn-errortype": `${type}:http://internal.amazon.com/` },
    body: { message },
  };
}
