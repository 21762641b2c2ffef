import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import type { Config } from "../config/config.js";
import { originForm } from "../http/express-app.js";
import { writeMalformedHttp } from "../http/response/write-error.js";
import type { Gateway } from "./app.js";

export interface RunningGateway {
  readonly url: string;
  /** How many requests are in flight. */
  readonly inFlight: () => number;
  /** New connections get the certificate of this configuration. Open ones stay as they are. */
  renewCertificate(config: Config): void;
  /** Accepts no new connections, drains requests in flight within the limit, then closes everything. */
  stop(): Promise<void>;
}

const serverOptions = {
  maxHeaderSize: 64 * 1024,
  keepAliveTimeout: 65_000,
  requestTimeout: 300_000,
  // The gateway itself refuses a request without a host, in the form of every other error.
  requireHostHeader: false,
};

const minVersion = "TLSv1.2";
/** A client that connects and says nothing is disconnected after this time. */
const handshakeTimeout = 60_000;

/** Puts a gateway on the network. */
export async function startServer(gateway: Gateway, config: Config): Promise<RunningGateway> {
  const server = createServerFor(config, gateway.classes);
  const connections = new Connections(server);
  boundConnections(server, gateway);
  let isStopping = false;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    request.url = originForm(request.url ?? "/");
    connections.begin(response);
    if (isStopping) connections.closeAfter(response);
    gateway.handle(response);
  };
  server.on("request", handle);
  // The body is requested once the caller is authenticated, not before.
  server.on("checkContinue", handle);
  // An unknown expectation may be ignored. Node's own 417 has neither an id nor a body.
  server.on("checkExpectation", handle);
  server.on("clientError", (failure, socket) => {
    // In the middle of a response, an error would be read as a part of it.
    if (connections.isResponding(socket as Socket)) socket.destroy();
    else writeMalformedHttp(failure, socket as Socket, gateway.requestIds.next());
  });
  await listen(server, config);
  return {
    url: urlOf(server),
    inFlight: () => connections.inFlight,
    renewCertificate: ({ tls }) => {
      if (isSecure(server) && tls !== undefined) server.setSecureContext({ ...tls, minVersion });
    },
    stop: async () => {
      isStopping = true;
      gateway.beginStop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.closeWhenIdle();
      const timer = setTimeout(() => server.closeAllConnections(), config.limits.stopMs);
      await closed;
      clearTimeout(timer);
      await gateway.close();
    },
  };
}

function createServerFor({ tls }: Config, classes: Gateway["classes"]): Server | SecureServer {
  if (tls === undefined) return createServer({ ...serverOptions, ...classes });
  return createSecureServer({ ...serverOptions, ...classes, ...tls, minVersion, handshakeTimeout });
}

function isSecure(server: Server | SecureServer): server is SecureServer {
  return "setSecureContext" in server;
}

function boundConnections(server: Server | SecureServer, { descriptors }: Gateway): void {
  if (descriptors.connectionsMax !== undefined) server.maxConnections = descriptors.connectionsMax;
  server.on("connection", (socket: Socket) => descriptors.trackConnection(socket));
  server.on("drop", () => descriptors.refuse());
  descriptors.onShortage = () => server.closeIdleConnections();
}

function listen(server: Server | SecureServer, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function urlOf(server: Server | SecureServer): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `${isSecure(server) ? "https" : "http"}://${host}:${address.port}`;
}

/** The open connections of a server, and the responses in flight on each. */
class Connections {
  readonly #responses = new Map<Socket, Set<ServerResponse>>();
  /** Connections without a TLS handshake so far, by their client's address. */
  readonly #handshakes = new Map<string, Socket>();
  #inFlight = 0;

  constructor(server: Server | SecureServer) {
    if (isSecure(server)) this.#watchHandshakes(server);
    // The sockets of requests: with TLS, those that decrypt.
    server.on(isSecure(server) ? "secureConnection" : "connection", (socket: Socket) => {
      const responses = new Set<ServerResponse>();
      this.#responses.set(socket, responses);
      socket.once("close", () => {
        this.#responses.delete(socket);
        for (const response of responses) if (response.socket === null) closeResponse(response);
      });
    });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  begin(response: ServerResponse): void {
    const responses = this.#responses.get(response.req.socket);
    this.#inFlight += 1;
    responses?.add(response);
    response.once("close", () => {
      this.#inFlight -= 1;
      responses?.delete(response);
    });
  }

  isResponding(socket: Socket): boolean {
    return [...(this.#responses.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /**
   * Closes each connection when its last response is over. Node counts a silent connection as busy and keeps one alive
   * whose response was in flight: either would delay a stop until its limit.
   */
  closeWhenIdle(): void {
    for (const [socket, responses] of this.#responses) {
      for (const response of responses) this.closeAfter(response);
      this.#closeIfIdle(socket);
    }
    for (const socket of this.#handshakes.values()) socket.destroy();
  }

  closeAfter(response: ServerResponse): void {
    const { socket } = response.req;
    if (!response.headersSent) response.setHeader("connection", "close");
    response.once("close", () => setImmediate(() => this.#closeIfIdle(socket)));
  }

  /** Node's own list of connections begins after the handshake, so a stop would wait for one that never ends. */
  #watchHandshakes(server: SecureServer): void {
    server.on("connection", (socket: Socket) => {
      const client = addressOf(socket);
      this.#handshakes.set(client, socket);
      socket.once("close", () => this.#handshakes.delete(client));
    });
    server.on("secureConnection", (socket) => this.#handshakes.delete(addressOf(socket)));
  }

  #closeIfIdle(socket: Socket): void {
    if (this.#responses.get(socket)?.size === 0) socket.destroySoon();
  }
}

/** Unique among the open connections of a port. */
function addressOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

/** The response to a pipelined request has no socket yet, and Node does not close it with the connection. */
function closeResponse(response: ServerResponse): void {
  response.destroy();
  response.emit("close");
}
