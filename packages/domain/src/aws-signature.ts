import { createHash, createHmac } from "node:crypto";

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Part of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

interface SignerOptions extends AwsCredentials {
  readonly region: string;
  /** The name of the service in signatures, such as `s3`. */
  readonly service: string;
}

export interface AwsRequest {
  readonly method: string;
  /** With the port, where the URL has one. */
  readonly host: string;
  /** The path as it is sent, so encoded already: see `encodeUriPart`. */
  readonly path: string;
  /** Names and values before they are encoded: see `encodeQuery`. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The SHA-256 digest of the body, in hexadecimal. */
  readonly payloadSha256: string;
}

/**
 * Signs requests with AWS Signature Version 4.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 *
 * A signature takes 24 µs of CPU here, 25 with aws4 (no release since 2024, and it keeps secrets in its module), 64 with
 * @smithy/signature-v4 (8 MB installed) and 704 with aws4fetch (WebCrypto on another thread).
 */
export class Signer {
  readonly #options: SignerOptions;
  /** The last signature's key, which is valid for a day. */
  #key: { readonly day: string; readonly value: Buffer } | undefined;

  constructor(options: SignerOptions) {
    this.#options = options;
  }

  /**
   * Returns all headers to send, besides `host`.
   *
   * @param now Milliseconds since 1970. A server refuses a time that differs by more than some minutes.
   */
  sign(request: AwsRequest, now: number): Record<string, string> {
    const { accessKeyId, sessionToken, region, service } = this.#options;
    const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, "");
    const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
    const headers: Record<string, string> = {
      ...request.headers,
      "x-amz-date": time,
      "x-amz-content-sha256": request.payloadSha256,
      ...(sessionToken === undefined ? {} : { "x-amz-security-token": sessionToken }),
    };
    const signed = Object.entries({ ...headers, host: request.host }).sort(byName);
    const names = signed.map(([name]) => name).join(";");
    const canonical = [
      request.method,
      service === "s3" ? request.path : request.path.split("/").map(encodeUriPart).join("/"),
      encodeQuery(request.query),
      ...signed.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, " ")}`),
      "",
      names,
      request.payloadSha256,
    ].join("\n");
    const text = ["AWS4-HMAC-SHA256", time, scope, sha256Hex(canonical)].join("\n");
    const signature = hmac(this.#keyOf(time.slice(0, 8)), text).toString("hex");
    headers.authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    return headers;
  }

  #keyOf(day: string): Buffer {
    const { secretAccessKey, region, service } = this.#options;
    if (this.#key?.day !== day) {
      const value = [day, region, service, "aws4_request"].reduce<Buffer>(
        hmac,
        Buffer.from(`AWS4${secretAccessKey}`),
      );
      this.#key = { day, value };
    }
    return this.#key.value;
  }
}

/** The query of a URL, in the order and encoding that is signed. */
export function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]): [string, string] => [encodeUriPart(name), encodeUriPart(value)])
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** Encodes all but letters, digits and `-._~`, which is more than `encodeURIComponent` does. */
export function encodeUriPart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function sha256Hex(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** By code units, as the signature requires: a locale would order them otherwise. */
function byName([left]: readonly [string, string], [right]: readonly [string, string]): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
