import type { Worker } from "node:cluster";
import type { Server, Socket } from "node:net";
import type { Logger } from "pino";
import type { MessageToWorker } from "./messages.js";

/** A connection that no worker has taken yet. */
interface WaitingConnection {
  readonly socket: Socket;
  readonly since: number;
}

/** Connections that may wait for a worker. More are closed at once. */
const waitingMax = 2048;
/** Time that a connection waits, such as while all workers are being replaced. */
const waitMsMax = 30_000;

/**
 * Hands the connections that the supervisor accepts to the workers in turn, one at a time to each. The supervisor keeps a
 * connection open until a worker confirms it, so a worker that dies before that loses none. The round-robin of
 * node:cluster does lose them, and those that come while the last worker stops listening.
 */
export class ConnectionHandoff {
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #waiting: WaitingConnection[] = [];
  /** The workers that get connections. */
  readonly #takers = new Set<Worker>();
  /** Those of them that can take one now, in the order of their turns. */
  readonly #free = new Set<Worker>();
  /** Sent to a worker, and not confirmed. */
  readonly #inHand = new Map<Worker, WaitingConnection>();
  readonly #onEmpty: (() => void)[] = [];
  #isFull = false;

  /** @param now Milliseconds of the monotonic clock. */
  constructor(server: Server, log: Logger, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
    server.maxConnections = waitingMax;
    server.on("connection", (socket: Socket) => this.#accept(socket));
    server.on("drop", () => this.#onDrop());
  }

  /** Gives a worker its turn from now on. */
  join(worker: Worker): void {
    this.#takers.add(worker);
    if (!this.#inHand.has(worker)) this.#free.add(worker);
    this.#next();
  }

  /** Gives a worker no more connections. It may still confirm one that was sent. */
  leave(worker: Worker): void {
    this.#takers.delete(worker);
    this.#free.delete(worker);
  }

  /** The worker has the connection that was sent to it. */
  confirm(worker: Worker): void {
    // The worker has its own handle on the connection: this closes one of two.
    this.#inHand.get(worker)?.socket.destroy();
    this.#inHand.delete(worker);
    if (this.#takers.has(worker)) this.#free.add(worker);
    this.#next();
  }

  /** The worker is gone. A connection that it did not confirm goes to another. */
  lose(worker: Worker): void {
    this.leave(worker);
    const connection = this.#inHand.get(worker);
    this.#inHand.delete(worker);
    if (connection !== undefined) this.#waiting.unshift(connection);
    this.#next();
  }

  /** Closes connections that have waited for too long. */
  expire(): void {
    const now = this.#now();
    while (this.#waiting[0] !== undefined && now - this.#waiting[0].since > waitMsMax)
      this.#waiting.shift()?.socket.destroy();
    this.#reportEmpty();
  }

  /** Resolves when every connection has been taken. */
  async drain(): Promise<void> {
    if (this.#isEmpty) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  get #isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#inHand.size === 0;
  }

  #accept(socket: Socket): void {
    // Nothing is read from it here. A caller that leaves is noticed by the worker.
    socket.on("error", () => undefined);
    this.#waiting.push({ socket, since: this.#now() });
    this.#next();
  }

  #next(): void {
    for (const worker of this.#free) {
      const connection = this.#waiting.shift();
      if (connection === undefined) break;
      this.#free.delete(worker);
      this.#inHand.set(worker, connection);
      this.#hand(worker, connection.socket);
    }
    this.#reportEmpty();
  }

  #hand(worker: Worker, socket: Socket): void {
    const message: MessageToWorker = { kind: "connection" };
    // On a failure the worker is about to exit, and `lose` will follow.
    if (worker.isConnected()) worker.send(message, socket, { keepOpen: true }, () => undefined);
  }

  #reportEmpty(): void {
    if (!this.#isEmpty) return;
    this.#isFull = false;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  #onDrop(): void {
    if (!this.#isFull) this.#log.warn({ waitingMax }, "Connections are refused: too many wait for a worker.");
    this.#isFull = true;
  }
}
