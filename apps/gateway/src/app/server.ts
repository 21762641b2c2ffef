import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import type { Config } from "@model-gateway/config/config";
import { originForm } from "../http/express-app.js";
import { writeMalformedHttp } from "../http/response/write-error.js";
import type { Gateway } from "./app.js";
import { Connections, type HttpServer, isSecure } from "./connections.js";
import { type Listener, listenOnPort, RequestGate } from "./listener.js";
import { RequestTurns } from "./request-turns.js";
import type { StopTimes } from "./stop-times.js";

export interface RunningGateway {
  readonly url: string;
  /** Number of requests in flight. */
  readonly inFlight: () => number;
  /** New connections get the certificate of this configuration. Open ones stay as they are. */
  renewCertificate(config: Config): void;
  /** Serves new connections for a while, then none. Drains requests in flight within the limit, and closes everything. */
  stop(times: StopTimes): Promise<void>;
}

/** Connects a server to its callers. */
type Listen = (server: HttpServer, config: Config) => Promise<Listener>;

const serverOptions = {
  maxHeaderSize: 64 * 1024,
  keepAliveTimeout: 65_000,
  headersTimeout: 60_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5000,
  // The gateway itself refuses a request without a host, in the form of every other error.
  requireHostHeader: false,
};

const minVersion = "TLSv1.2";
/** A client that connects and says nothing is disconnected after this time. */
const handshakeTimeout = 60_000;

/** Puts a gateway on the network. */
export async function startServer(
  gateway: Gateway,
  config: Config,
  listen: Listen = listenOnPort,
): Promise<RunningGateway> {
  const server = createServerFor(config, gateway.classes);
  const connections = new Connections(server, gateway.slowReaders);
  boundConnections(server, gateway, connections);
  const gate = new RequestGate(gateway.handle);
  const turns = new RequestTurns((response) => gate.pass(response), gateway.networkOf);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    request.url = originForm(request.url ?? "/");
    turns.add(response, connections.begin(response));
  };
  server.on("request", handle);
  // The body is requested once the caller is authenticated, not before.
  server.on("checkContinue", handle);
  // An unknown expectation may be ignored. Node's own 417 has neither an id nor a body.
  server.on("checkExpectation", handle);
  refuseMalformedHttp(server, gateway, connections);
  const listener = await listen(server, config);
  return {
    url: listener.url,
    inFlight: () => connections.inFlight,
    renewCertificate: ({ tls }) => {
      if (isSecure(server) && tls !== undefined) server.setSecureContext({ ...tls, minVersion });
    },
    stop: async ({ delayMs, cutMs, exitMs }) => {
      const startedAt = performance.now();
      const left = (ms: number) => Math.max(0, startedAt + ms - performance.now());
      connections.beginStop();
      await listener.close({ delayMs, gate });
      await connections.drain({ silentMs: delayMs, cutMs: left(cutMs) });
      await gateway.close(left(exitMs));
    },
  };
}

function refuseMalformedHttp(server: HttpServer, { requestIds }: Gateway, connections: Connections): void {
  server.on("clientError", (failure, socket) => {
    // The requests before the one that was too many get their responses.
    if (connections.isOverrun(socket as Socket)) return;
    // In the middle of a response, an error would be read as a part of it.
    if (connections.isResponding(socket as Socket)) socket.destroy();
    else writeMalformedHttp(failure, socket as Socket, requestIds.next());
  });
}

function createServerFor({ tls }: Config, classes: Gateway["classes"]): HttpServer {
  if (tls === undefined) return createServer({ ...serverOptions, ...classes });
  return createSecureServer({ ...serverOptions, ...classes, ...tls, minVersion, handshakeTimeout });
}

/** A connection beyond the open-files limit takes the place of a stranger's, or is closed at once. */
function boundConnections(
  server: HttpServer,
  { descriptors, awaitConnections }: Gateway,
  connections: Connections,
): void {
  server.on("connection", (socket: Socket) => {
    awaitConnections();
    if (!descriptors.trackConnection(socket, () => connections.makeRoom(socket))) socket.destroy();
  });
  descriptors.onShortage = () => {
    server.closeIdleConnections();
    connections.closeStrangers();
  };
}
