import type { IncomingMessage, ServerResponse } from "node:http";
import { SharedPool } from "@model-gateway/runtime/shared-pool";
import { nextBulkTurn } from "@model-gateway/runtime/time-slice";
import type { Connection } from "./connections.js";
import { RequestLine } from "./request-line.js";

/** First requests of connections that begin in the turn in which they arrive. A crowd of new callers hardly waits. */
const newcomersPerTurn = 64;
/** Memory of all requests that wait for their turn: 6,400 small ones. */
const waitingBytesMax = 64 * 1024 * 1024;
/** Memory of a request and its response, without the text of the headers. */
const requestBytes = 10 * 1024;

interface WaitingRequest {
  readonly response: ServerResponse;
  readonly connection: Connection;
  /** Who has taken its memory, and how much. */
  readonly key: string;
  readonly bytes: number;
}

/**
 * Decides when a request begins. A known caller that waits for each response before it sends the next request begins at
 * once. So does the first request of a connection, up to a number in each turn. All others wait in line, which are
 * pipelined requests and those after one without a valid key: whoever sends without a key takes a part of each turn,
 * whatever the number of requests and connections. Of a connection whose caller is not known, one request begins after
 * the other, so that a hundred of them hold no hundred files.
 */
export class RequestTurns {
  readonly #pass: (response: ServerResponse) => void;
  readonly #networkOf: (request: IncomingMessage) => string;
  readonly #waiting = new SharedPool(waitingBytesMax);
  readonly #line: RequestLine<WaitingRequest>;
  #newcomers = 0;
  readonly #endTurn = (): void => {
    this.#newcomers = 0;
  };

  /** @param networkOf The network of the client that sent a request. */
  constructor(pass: (response: ServerResponse) => void, networkOf: (request: IncomingMessage) => string) {
    this.#pass = pass;
    this.#networkOf = networkOf;
    this.#line = new RequestLine((request) => this.#begin(request), nextBulkTurn);
  }

  add(response: ServerResponse, connection: Connection): void {
    // The response of a pipelined request gets the socket only when those before it have ended.
    const isPipelined = response.socket === null;
    const isKnown = connection.caller !== undefined;
    if (!isPipelined && (isKnown || (connection.isNew && this.#admitNew()))) {
      this.#pass(response);
      return;
    }
    const key = connection.caller ?? this.#networkOf(response.req);
    const bytes = bytesOf(response.req);
    const fits = this.#waiting.take(key, bytes);
    if (!fits) this.#refuseMore(connection, response);
    this.#line.add(key, { response, connection, key, bytes: fits ? bytes : 0 });
  }

  /** A stranger's connection is closed where the memory is needed. A known caller's sends no more. */
  #refuseMore(connection: Connection, { req: { socket } }: ServerResponse): void {
    if (connection.caller === undefined) socket.destroy();
    else connection.refuseMore();
  }

  #admitNew(): boolean {
    this.#newcomers += 1;
    if (this.#newcomers === 1) setImmediate(this.#endTurn);
    return this.#newcomers <= newcomersPerTurn;
  }

  #begin(waiting: WaitingRequest): boolean {
    const { response, connection, key, bytes } = waiting;
    const isAwaited = !response.destroyed;
    if (isAwaited && response.socket === null && !connection.isKnown()) {
      connection.beginLater(response, () => this.#line.add(key, waiting));
      return false;
    }
    this.#waiting.giveBack(key, bytes);
    if (isAwaited) this.#pass(response);
    return isAwaited;
  }
}

function bytesOf({ url = "", rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, requestBytes + url.length);
}
