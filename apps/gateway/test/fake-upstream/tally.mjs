/** @import { ServerResponse } from "node:http" */
/** @import { Socket } from "node:net" */
/** @import { ReceivedRequest, Seen } from "./script.js" */

/**
 * A request from its arrival to its end, and whether it was the upstream that broke it off.
 * @typedef {{ hasBroken: boolean }} Exchange
 */

/** Counts what comes in. */
export class Tally {
  /** @type {ReceivedRequest[]} */
  received = [];
  #keptMax;
  #onRequest;
  #requests = 0;
  #inFlight = 0;
  #abandoned = 0;
  #bodyBytes = 0;
  #made = 0;
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
    this.#made += 1;
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
  }

  /**
   * A connection that brings a script is no connection of the gateway.
   * @param {Socket} socket
   */
  disregard(socket) {
    if (this.#open.delete(socket)) this.#made -= 1;
  }

  /**
   * @param {ServerResponse} response
   * @returns {Exchange}
   */
  begin(response) {
    const exchange = { hasBroken: false };
    this.#requests += 1;
    this.#inFlight += 1;
    this.#onRequest();
    response.once("close", () => {
      this.#inFlight -= 1;
      if (!response.writableFinished && !exchange.hasBroken) this.#abandoned += 1;
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
      connections: { made: this.#made, open: this.#open.size },
      last: this.received.map(({ path, body, status }) => ({ path, body, ...(status && { status }) })),
    };
  }
}
