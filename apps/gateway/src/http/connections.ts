import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The open connections of a server, and the answers under way on each. */
export class Connections {
  readonly #responses = new Map<Socket, Set<ServerResponse>>();
  #underWay = 0;

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      const responses = new Set<ServerResponse>();
      this.#responses.set(socket, responses);
      socket.once("close", () => {
        this.#responses.delete(socket);
        for (const response of responses) if (response.socket === null) close(response);
      });
    });
  }

  get underWay(): number {
    return this.#underWay;
  }

  begin(response: ServerResponse): void {
    const responses = this.#responses.get(response.req.socket);
    this.#underWay += 1;
    responses?.add(response);
    response.once("close", () => {
      this.#underWay -= 1;
      responses?.delete(response);
    });
  }

  isAnswering(socket: Socket): boolean {
    return [...(this.#responses.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /**
   * Closes each connection when the last answer on it is over. Node takes one that has not said anything for busy, and
   * keeps one alive whose answer was under way, so that either would hold up a stop until its limit.
   */
  closeWhenIdle(): void {
    for (const [socket, responses] of this.#responses) {
      for (const response of responses) this.closeAfter(response);
      this.#closeIfIdle(socket);
    }
  }

  closeAfter(response: ServerResponse): void {
    const { socket } = response.req;
    if (!response.headersSent) response.setHeader("connection", "close");
    response.once("close", () => setImmediate(() => this.#closeIfIdle(socket)));
  }

  #closeIfIdle(socket: Socket): void {
    if (this.#responses.get(socket)?.size === 0) socket.destroySoon();
  }
}

/**
 * An answer to a request that came before the one ahead of it was answered has no connection yet, and Node never tells it
 * that the connection is gone.
 */
function close(response: ServerResponse): void {
  response.destroy();
  response.emit("close");
}
