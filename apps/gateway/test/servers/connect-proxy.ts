import { createServer, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { KeyPair } from "@model-gateway/test-suite/certificates";

/** The proxy's reaction to a CONNECT. */
export type ProxyMode = "tunnel" | "refuse" | "stall" | "cut";

export interface ConnectProxy {
  /** Without credentials. */
  readonly url: string;
  readonly host: string;
  /** The destination of each CONNECT, and its credentials. */
  readonly received: { readonly destination: string; readonly authorization: string | undefined }[];
  /** Number of open connections to the proxy, and of tunnels. */
  readonly connections: () => number;
  readonly tunnels: () => number;
  mode: ProxyMode;
  close(): Promise<void>;
}

export interface ConnectProxyOptions {
  /** `user:password`. Without it, the proxy is open to all. */
  readonly credentials?: string;
  /** With it, the proxy itself is reached over TLS. */
  readonly tls?: KeyPair;
}

/** A real proxy on this machine. It opens tunnels and does not look into them. */
export async function startConnectProxy({
  credentials,
  tls,
}: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const sockets = new Set<Duplex>();
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
  const track = (socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  let [connections, tunnels] = [0, 0];
  const server = tls === undefined ? createServer() : createSecureServer(tls);
  server.on("connection", (socket) => {
    track(socket);
    connections += 1;
    socket.once("close", () => {
      connections -= 1;
    });
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    track(socket);
    const destination = request.url ?? "";
    const authorization = request.headers["proxy-authorization"];
    proxy.received.push({ destination, authorization });
    if (wanted !== undefined && authorization !== wanted)
      return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
    if (proxy.mode === "refuse")
      return void socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    if (proxy.mode === "cut") return void socket.destroy();
    // Only a socket that is read notices that the other side has closed it.
    if (proxy.mode === "stall") return void socket.on("end", () => socket.destroy()).resume();
    const [host = "", port = ""] = destination.split(":");
    const upstream: Socket = connect(Number(port), host, () => {
      tunnels += 1;
      socket.once("close", () => {
        tunnels -= 1;
        upstream.destroy();
      });
      upstream.once("close", () => socket.destroy());
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"));
    track(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: ConnectProxy = {
    url: `${tls === undefined ? "http" : "https"}://${host}`,
    host,
    received: [],
    connections: () => connections,
    tunnels: () => tunnels,
    mode: "tunnel",
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}
