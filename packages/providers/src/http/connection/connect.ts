import { isIPv6 } from "node:net";
import { buildConnector } from "undici";
import { type ConnectError, connectErrorOf } from "./connect-error.js";
import { openTunnel, readProxy } from "./tunnel.js";

/** Settings of connections to an upstream. */
export interface ConnectionSettings {
  /** The URL of a proxy, with its credentials. */
  readonly proxy?: string | undefined;
  /** PEM text. `ca` replaces the public certificate authorities; `cert` and `key` are the client's own. */
  readonly tls?:
    | {
        readonly ca?: string | undefined;
        readonly cert?: string | undefined;
        readonly key?: string | undefined;
      }
    | undefined;
}

/** For each: a direct connection, the proxy's reply to CONNECT, and the TLS handshake behind a proxy. */
const connectTimeoutMs = 10_000;
const keepAliveProbeMs = 60_000;

/** Makes the connections of a pool. Every failure is a ConnectError. */
export function createConnector({ proxy, tls = {} }: ConnectionSettings): buildConnector.connector {
  const { ca, cert, key } = tls;
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  });
  const connectDirectly: buildConnector.connector = (options, callback) =>
    connect(options, (...[failure, socket]) =>
      failure === null ? callback(null, socket) : callback(connectErrorOf(failure), null),
    );
  if (proxy === undefined) return connectDirectly;
  const address = readProxy(proxy);
  return (options, callback) => {
    const tunnel = { destination: destinationOf(options), timeoutMs: connectTimeoutMs, ca };
    openTunnel(address, tunnel).then(
      (socket) => {
        socket.setNoDelay(true).setKeepAlive(true, keepAliveProbeMs);
        if (options.protocol === "https:") connectDirectly({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (failure: ConnectError) => callback(failure, null),
    );
  };
}

function destinationOf({ hostname, protocol, port }: buildConnector.Options): string {
  const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
  return `${host}:${port || (protocol === "https:" ? "443" : "80")}`;
}
