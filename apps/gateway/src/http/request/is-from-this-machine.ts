import type { IncomingMessage } from "node:http";
import { isLoopbackHost } from "@model-gateway/domain/ip-address";

/** Headers that a proxy adds. A proxy on this machine connects over a loopback address for clients that are elsewhere. */
const proxyHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-forwarded-server",
  "x-forwarded-prefix",
  "x-original-host",
  "x-real-ip",
  "x-client-ip",
  "cf-connecting-ip",
  "true-client-ip",
];

/**
 * Whether a request comes directly from a program on the gateway's own machine. The `Host` must be a loopback one as
 * well: a page elsewhere can give its own name a loopback address (DNS rebinding). So must the origin of the page, if a
 * browser names it: some proxies add no header and write their own `Host`.
 */
export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): boolean {
  if (!isLoopbackHost(socket.remoteAddress ?? "")) return false;
  if (hasProxyHeader(headers)) return false;
  const { host = "", origin } = headers;
  return isLoopbackUrl(`http://${host}`) && (origin === undefined || isLoopbackUrl(origin));
}

export function hasProxyHeader(headers: IncomingMessage["headers"]): boolean {
  return proxyHeaders.some((name) => headers[name] !== undefined);
}

/** `URL` also reads short and hexadecimal forms of addresses, and writes them out. */
function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  return username === "" && password === "" && isLoopbackHost(hostname.replace(/^\[|\]$/g, ""));
}
