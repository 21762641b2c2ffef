import type { Server, ServerResponse } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { callerOf } from "../http/request/arrival.js";
import type { SlowReaders } from "../http/response/slow-readers.js";
import { untilQuiet } from "./listener.js";
import { stopParser } from "./stop-parser.js";
import { Strangers } from "./strangers.js";

export type HttpServer = Server | SecureServer;

export function isSecure(server: HttpServer): server is SecureServer {
  return "setSecureContext" in server;
}

/** Requests of a connection without a complete response. Clients that pipeline at all send ten to fifty. */
const unansweredMax = 100;

/** A connection, and the requests that it has sent and still waits for. */
export class Connection {
  readonly responses = new Set<ServerResponse>();
  /** The caller of the last request that has ended. Undefined where that had no valid key. */
  caller: string | undefined;
  /** Whether none of its requests has ended. */
  isNew = true;
  /** When its last response ended, or the stop began. Only kept during a stop. */
  silentSince = 0;
  /** The bytes it had sent by then. Further bytes belong to an incomplete request head. */
  bytesRead = 0;
  readonly #socket: Socket;
  /** Requests that begin when those before them have ended. */
  readonly #later = new Map<ServerResponse, () => void>();
  #allowMore: (() => void) | undefined;
  #isOverrun = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Whether it waits for a request, and its caller is not known. */
  get isStranger(): boolean {
    return this.caller === undefined && this.responses.size === 0;
  }

  /** Whether it has sent more requests than it may. It is closed after the last response. */
  get isOverrun(): boolean {
    return this.#isOverrun;
  }

  /** The caller of the response that is written, or was written last. */
  get waitingCaller(): string | undefined {
    const [first] = this.responses;
    return first === undefined ? this.caller : callerOf(first);
  }

  add(response: ServerResponse): void {
    if (this.responses.add(response).size >= unansweredMax) this.refuseMore();
  }

  /** Whether a request on it had a valid key, be it one that has no response yet. */
  isKnown(): boolean {
    const [first] = this.responses;
    if (first !== undefined) this.caller ??= callerOf(first);
    return this.caller !== undefined;
  }

  /** Calls it when the responses before this one have ended, or when the caller is known. */
  beginLater(response: ServerResponse, begin: () => void): void {
    this.#later.set(response, begin);
  }

  delete(response: ServerResponse): void {
    this.responses.delete(response);
    if (this.#later.size > 0) this.#beginNext(response);
    if (this.#isOverrun) {
      if (this.responses.size === 0) this.#socket.destroySoon();
      return;
    }
    this.#allowMore?.();
    this.#allowMore = undefined;
  }

  /** One that has ended without a beginning is told so as well: it gives its memory back. */
  #beginNext(ended: ServerResponse): void {
    this.#begin(ended);
    for (const response of this.responses) {
      this.#begin(response);
      if (this.caller === undefined) return;
    }
  }

  #begin(response: ServerResponse): void {
    const begin = this.#later.get(response);
    this.#later.delete(response);
    begin?.();
  }

  /** Nothing is read of the next request, unless a response ends before it comes. */
  refuseMore(): void {
    this.#allowMore ??= stopParser(this.#socket, () => {
      this.#isOverrun = true;
      const last = [...this.responses].at(-1);
      if (last !== undefined) announceClose(last);
    });
  }
}

interface DrainOptions {
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
  readonly #strangers = new Strangers(() => performance.now());
  readonly #slowReaders: Pick<SlowReaders, "watch">;
  #inFlight = 0;
  #isStopping = false;

  constructor(server: HttpServer, slowReaders: Pick<SlowReaders, "watch">) {
    this.#slowReaders = slowReaders;
    if (isSecure(server)) this.#watchHandshakes(server);
    // The sockets of requests: with TLS, those that decrypt.
    server.on(isSecure(server) ? "secureConnection" : "connection", (socket: Socket) => this.#add(socket));
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  begin(response: ServerResponse): Connection {
    const { socket } = response.req;
    const connection = this.#connections.get(socket) ?? new Connection(socket);
    this.#inFlight += 1;
    if (connection.caller === undefined) this.#strangers.delete(socket);
    connection.add(response);
    if (this.#isStopping) announceClose(response);
    response.once("close", () => {
      this.#inFlight -= 1;
      connection.caller = callerOf(response);
      connection.isNew = false;
      connection.delete(response);
      if (connection.isStranger && !socket.destroyed) this.#strangers.add(socket);
      if (this.#isStopping) this.#markSilent(socket);
    });
    return connection;
  }

  /** Closes a connection of an unknown caller for a new one. Returns whether there was one that may be closed. */
  makeRoom(socket: Socket): boolean {
    return this.#strangers.makeRoom(socket);
  }

  /** Closes connections of unknown callers that have waited for a request for a while. */
  closeStrangers(): void {
    this.#strangers.closeWaiting();
  }

  isOverrun(socket: Socket): boolean {
    return this.#connections.get(socket)?.isOverrun === true;
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
      this.#strangers.add(socket);
      socket.once("close", () => this.#endHandshake(client));
    });
    server.on("secureConnection", (socket) => this.#endHandshake(addressOf(socket)));
  }

  #endHandshake(client: string): void {
    const handshake = this.#handshakes.get(client);
    if (handshake === undefined) return;
    this.#handshakes.delete(client);
    this.#strangers.delete(handshake.socket);
  }

  #endHandshakes(afterMs: number): void {
    const now = performance.now();
    for (const { socket, since } of this.#handshakes.values()) if (now - since >= afterMs) socket.destroy();
  }

  #add(socket: Socket): void {
    const connection = new Connection(socket);
    this.#connections.set(socket, connection);
    this.#slowReaders.watch(socket, () => connection.waitingCaller);
    this.#strangers.add(socket);
    if (this.#isStopping) this.#markSilent(socket);
    socket.once("close", () => {
      this.#connections.delete(socket);
      this.#strangers.delete(socket);
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
