import { isObject } from "@model-gateway/runtime/json";
import { Client } from "undici";
import { type ConnectionSettings, createConnector } from "../connection/connect.js";
import { parseObject } from "../errors/read-error.js";
import type { IssuedToken } from "./token-credential.js";

interface TokenRequest {
  readonly method: "POST" | "GET" | "PUT";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

const replyBytesMax = 64 * 1024;

/**
 * Sends one request to an issuer of credentials, which is not the upstream, and returns its reply. It follows no
 * redirect. Its errors quote neither the request nor the reply, because both hold secrets.
 */
export async function requestFromIssuer(
  { method, url, headers = {}, body, signal }: TokenRequest,
  connection: Pick<ConnectionSettings, "proxy" | "tls"> = {},
): Promise<string> {
  const { origin, pathname, search } = new URL(url);
  const { proxy, tls } = connection;
  const client = new Client(origin, { connect: createConnector({ proxy, tls: { ca: tls?.ca } }) });
  try {
    const reply = await client.request({
      method,
      path: `${pathname}${search}`,
      headers,
      body: body ?? null,
      signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of reply.body) {
      bytes += chunk.length;
      if (bytes > replyBytesMax) throw new Error("The issuer's reply is too large.");
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString("utf8");
    if (reply.statusCode !== 200) throw new IssuerRefusal(reply.statusCode, wordOf(text));
    return text;
  } finally {
    await client.destroy();
  }
}

/** A reply with another status than 200. */
export class IssuerRefusal extends Error {
  readonly status: number;

  constructor(status: number, word: string) {
    super(`The issuer replied with status ${status}${word}.`);
    this.status = status;
  }
}

/** The word for a refusal, such as `invalid_grant` or `AccessDenied`. It has no digit, as secrets have. */
function wordOf(text: string): string {
  const { error, __type: type, Error: inner } = parseObject(text) ?? {};
  const word = [error, type, isObject(inner) ? inner.Code : undefined].find(
    (one) => typeof one === "string" && /^[A-Za-z_]{4,40}$/.test(one),
  );
  return word === undefined ? "" : ` (${word})`;
}

/** Requests a token by OAuth 2.0, or from a metadata service that replies in its form. */
export async function requestAccessToken(
  request: TokenRequest,
  connection: Pick<ConnectionSettings, "proxy" | "tls"> = {},
): Promise<IssuedToken> {
  return readAccessToken(await requestFromIssuer(request, connection));
}

/** Reads `access_token` and `expires_in`. https://www.rfc-editor.org/rfc/rfc6749#section-5.1 */
export function readAccessToken(reply: string): IssuedToken {
  const { access_token: token, expires_in: seconds } = parseObject(reply) ?? {};
  // Some metadata services send the number as a text.
  const lifetimeMs = Number(seconds) * 1000;
  if (typeof token !== "string" || token === "" || !(lifetimeMs > 0))
    throw new Error("The issuer's reply has no access token.");
  return { token, lifetimeMs };
}
