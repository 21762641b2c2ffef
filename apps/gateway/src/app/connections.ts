import type { Server, ServerResponse } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { untilQuiet } from "./listener.js";

export type HttpServer = Server | SecureServer;

export function isSecure(server: HttpServer): server is SecureServer {
  return "setSecureContext" in server;
}

/** Requests that a connection has sent and still waits for. */
interface Connection {
  readonly responses: Set<ServerResponse>;
  /** When its last response ended, or the stop began. Only kept during a stop. */
  silentSince: number;
  /** The bytes it had sent by then. Further bytes belong to an incomplete request head. */
  bytesRead: number;
}

export interface DrainOptions {
  /** A connection is closed once it has sent no request for this long. */
  readonly silentMs: number;
  /** After this time all connections are cut. */
  readonly cutMs: number;
}

/** Interval of connection checks during a stop. */
const sweepMs = 25;
/** Time for a request head to arrive during a stop. */
const headMsMax = 5000;

/** The open connections of a server, and the responses in flight on each. */
export class Connections {
  readonly #connections = new Map<Socket, Connection>();
  /** Connections without a TLS handshake so far, by their client's address, and when they began. */
  readonly #handshakes = new Map<string, { readonly socket: Socket; readonly since: number }>();
  #inFlight = 0;
  #isStopping = false;

  constructor(server: HttpServer) {
    if (isSecure(server)) this.#watchHandshakes(server);
    // The sockets of requests: with TLS, those that decrypt.
    server.on(isSecure(server) ? "secureConnection" : "connection", (socket: Socket) => this.#add(socket));
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  begin(response: ServerResponse): void {
    const { socket } = response.req;
    const responses = this.#connections.get(socket)?.responses;
    this.#inFlight += 1;
    responses?.add(response);
    if (this.#isStopping) announceClose(response);
    response.once("close", () => {
      this.#inFlight -= 1;
      responses?.delete(response);
      if (this.#isStopping) this.#markSilent(socket);
    });
  }

  isResponding(socket: Socket): boolean {
    return [...(this.#connections.get(socket)?.responses ?? [])].some((response) => response.headersSent);
  }

  /** From here on every response closes its connection, so that its caller does not send another request on it. */
  beginStop(): void {
    this.#isStopping = true;
    for (const [socket, { responses }] of this.#connections) {
      for (const response of responses) announceClose(response);
      this.#markSilent(socket);
    }
  }

  /**
   * Resolves when all connections are closed. Each is closed when its caller has had time to send a request on it and has
   * not. Node would close a connection as soon as it is idle, when a request may be on its way.
   */
  async drain({ silentMs, cutMs }: DrainOptions): Promise<void> {
    const cutAt = performance.now() + cutMs;
    while (this.#connections.size + this.#handshakes.size > 0 && performance.now() < cutAt) {
      this.#endHandshakes(Math.max(silentMs, headMsMax));
      if (this.#silent(silentMs).length > 0) {
        await untilQuiet(() => this.#inFlight);
        for (const socket of this.#silent(silentMs)) socket.destroySoon();
      }
      await setTimeout(sweepMs);
    }
    this.#endHandshakes(0);
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  /** Node's own list of connections begins after the handshake, so a stop would wait for one that never ends. */
  #watchHandshakes(server: SecureServer): void {
    server.on("connection", (socket: Socket) => {
      const client = addressOf(socket);
      this.#handshakes.set(client, { socket, since: performance.now() });
      socket.once("close", () => this.#handshakes.delete(client));
    });
    server.on("secureConnection", (socket) => this.#handshakes.delete(addressOf(socket)));
  }

  #endHandshakes(afterMs: number): void {
    const now = performance.now();
    for (const { socket, since } of this.#handshakes.values()) if (now - since >= afterMs) socket.destroy();
  }

  #add(socket: Socket): void {
    const connection = { responses: new Set<ServerResponse>(), silentSince: 0, bytesRead: 0 };
    this.#connections.set(socket, connection);
    if (this.#isStopping) this.#markSilent(socket);
    socket.once("close", () => {
      this.#connections.delete(socket);
      for (const response of connection.responses) if (response.socket === null) closeResponse(response);
    });
  }

  #markSilent(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.silentSince = performance.now();
    connection.bytesRead = socket.bytesRead;
  }

  #silent(silentMs: number): Socket[] {
    const now = performance.now();
    return [...this.#connections].flatMap(([socket, { responses, silentSince, bytesRead }]) => {
      // One that is closing already is not writable.
      const isSilent = responses.size === 0 && socket.writable;
      const patienceMs = socket.bytesRead === bytesRead ? silentMs : Math.max(silentMs, headMsMax);
      return isSilent && now - silentSince >= patienceMs ? [socket] : [];
    });
  }
}

/** Unique among the open connections of a port. */
function addressOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

/** The response to a pipelined request has no socket yet, and Node does not close it with the connection. */
function closeResponse(response: ServerResponse): void {
  response.destroy();
  response.emit("close");
}
