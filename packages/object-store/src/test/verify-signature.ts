import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/**
 * Verifies a request as S3 does, from its raw bytes: written from AWS's description and without the gateway's code. It
 * returns S3's code for the fault, or undefined.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function verifySignature(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey, region }: Credentials,
): string | undefined {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? "",
    );
  if (given === null) return "AccessDenied";
  const [, id, scope = "", signedHeaders = "", signature] = given;
  if (id !== accessKeyId) return "InvalidAccessKeyId";
  const time = String(request.headers["x-amz-date"]);
  const day = time.substring(0, 8);
  if (scope !== `${day}/${region}/s3/aws4_request`) return "AuthorizationHeaderMalformed";
  const sentAt = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - sentAt) < 15 * 60_000)) return "RequestTimeTooSkewed";
  const names = signedHeaders.split(";");
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) => name === "host" || name.startsWith("x-amz-"),
  );
  if (mustBeSigned.some((name) => !names.includes(name))) return "AccessDenied";
  const bodyHash = createHash("sha256").update(body).digest("hex");
  if (request.headers["x-amz-content-sha256"] !== bodyHash) return "XAmzContentSHA256Mismatch";

  const [path = "", search = ""] = (request.url ?? "").split("?");
  const pairs =
    search === "" ? [] : search.split("&").map((pair) => (pair.includes("=") ? pair : `${pair}=`));
  let canonical = `${request.method}\n${path}\n${pairs.sort().join("&")}\n`;
  for (const name of names) canonical += `${name}:${String(request.headers[name]).trim()}\n`;
  canonical += `\n${signedHeaders}\n${bodyHash}`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash("sha256").update(canonical).digest("hex")}`;
  let key: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
  for (const part of scope.split("/")) key = createHmac("sha256", key).update(part).digest();
  const expected = createHmac("sha256", key).update(toSign).digest("hex");
  return signature === expected ? undefined : "SignatureDoesNotMatch";
}
