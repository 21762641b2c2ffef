/** @import { ServerResponse } from "node:http" */
/** @import { Socket } from "node:net" */
/** @import { ReceivedRequest, Seen } from "./script.js" */

/**
 * A request from its arrival to its end. `isBroken` says that the upstream broke it off, not the caller.
 * @typedef {{ isBroken: boolean }} Exchange
 */

/** Counts requests and connections, and keeps the last requests. */
export class Tally {
  /** @type {ReceivedRequest[]} */
  received = [];
  #keptMax;
  #onRequest;
  #requests = 0;
  #inFlight = 0;
  #abandoned = 0;
  #bodyBytes = 0;
  #connections = 0;
  /** @type {Set<Socket>} */
  #open = new Set();

  /**
   * @param {number} keptMax how many of the last requests are kept
   * @param {() => void} onRequest
   */
  constructor(keptMax, onRequest) {
    this.#keptMax = keptMax;
    this.#onRequest = onRequest;
  }

  /** @param {Socket} socket */
  connect(socket) {
    this.#connections += 1;
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
  }

  /**
   * Control connections belong to the test, not to the gateway.
   * @param {Socket} socket
   */
  disregard(socket) {
    if (this.#open.delete(socket)) this.#connections -= 1;
  }

  /**
   * @param {ServerResponse} response
   * @returns {Exchange}
   */
  begin(response) {
    const exchange = { isBroken: false };
    this.#requests += 1;
    this.#inFlight += 1;
    this.#onRequest();
    response.once("close", () => {
      this.#inFlight -= 1;
      if (!response.writableFinished && !exchange.isBroken) this.#abandoned += 1;
    });
    return exchange;
  }

  /**
   * @param {ReceivedRequest} request
   * @param {number} bytes
   */
  keep(request, bytes) {
    this.#bodyBytes += bytes;
    this.received.push(request);
    if (this.received.length > this.#keptMax) this.received.shift();
  }

  /** @returns {Seen} */
  seen() {
    return {
      requests: this.#requests,
      inFlight: this.#inFlight,
      abandoned: this.#abandoned,
      bodyBytes: this.#bodyBytes,
      connections: { total: this.#connections, open: this.#open.size },
      last: this.received.map(({ path, body, status }) => ({ path, body, ...(status && { status }) })),
    };
  }
}
