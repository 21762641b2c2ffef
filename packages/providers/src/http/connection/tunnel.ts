import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type Socket } from "node:net";
import { codeOf } from "@model-gateway/domain/failure-code";
import { ConnectError } from "./connect-error.js";

/** A proxy that opens connections to upstreams: the address, and the header with its credentials. */
interface Proxy {
  readonly isSecure: boolean;
  readonly hostname: string;
  readonly port: string;
  readonly authorization: string | undefined;
}

export function readProxy(address: string): Proxy {
  const { protocol, hostname, port, username, password } = new URL(address);
  const isSecure = protocol === "https:";
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    isSecure,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? "443" : "80") : port,
    authorization:
      credentials === ":" ? undefined : `Basic ${Buffer.from(credentials, "utf8").toString("base64")}`,
  };
}

interface TunnelOptions {
  /** `host:port` of the upstream. */
  readonly destination: string;
  readonly timeoutMs: number;
  /** The certificate authorities that are trusted for a secure proxy. Undefined: the public ones. */
  readonly ca: string | undefined;
}

/**
 * Opens a connection to an upstream through a proxy, by CONNECT. Rejects with a ConnectError.
 * https://www.rfc-editor.org/rfc/rfc9110#name-connect
 */
export function openTunnel(proxy: Proxy, options: TunnelOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const request = requestTunnel(proxy, options);
    const fail = (failure: ConnectError): void => {
      clearTimeout(timer);
      reject(failure);
      request.destroy();
    };
    // From the first packet to the proxy's reply: a proxy may also accept a connection and say nothing.
    const timer = setTimeout(() => fail(new ConnectError("timeout", "PROXY_TIMEOUT")), options.timeoutMs);
    request.on("error", (failure) => fail(new ConnectError("proxy", codeOf(failure))));
    request.once("connect", ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      clearTimeout(timer);
      if (statusCode >= 200 && statusCode <= 299) {
        // Bytes of the upstream may come with the proxy's reply.
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new ConnectError(statusCode === 407 ? "proxy-credentials" : "proxy", `status ${statusCode}`));
    });
    request.end();
  });
}

function requestTunnel(
  { isSecure, hostname, port, authorization }: Proxy,
  { destination, ca }: TunnelOptions,
): ClientRequest {
  return (isSecure ? requestHttps : requestHttp)({
    method: "CONNECT",
    hostname,
    port,
    path: destination,
    agent: false,
    headers: {
      host: destination,
      connection: "keep-alive",
      ...(authorization === undefined ? {} : { "proxy-authorization": authorization }),
    },
    // Otherwise Node would verify a secure proxy by the `host` header, which names the upstream.
    servername: isIP(hostname) === 0 ? hostname : "",
    ...(ca === undefined ? {} : { ca }),
  });
}
