import { connect, type Socket } from "node:net";
import { MessageReader } from "../message-reader.js";

export interface RawAnswer {
  readonly status: number;
  readonly bodyBytes: number;
  readonly body: readonly Buffer[];
}

/** One keep-alive connection with one request under way at a time. */
export class Connection {
  readonly #socket: Socket;
  #wantsBody = false;
  #settle: { resolve: (answer: RawAnswer) => void; reject: (failure: Error) => void } | undefined;

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => resolve(new Connection(socket)));
    });
  }

  constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new MessageReader({
      wantsBody: () => this.#wantsBody,
      onMessage: ({ startLine, bodyBytes, body }) => {
        this.#settle?.resolve({ status: Number(startLine.slice(9, 12)), bodyBytes, body });
        this.#settle = undefined;
      },
    });
    socket.on("data", (chunk) => reader.push(chunk));
    socket.on("error", (failure) => this.#settle?.reject(failure));
    socket.on("close", () => this.#settle?.reject(new Error("The connection was closed.")));
  }

  send(request: readonly Buffer[], { wantsBody }: { wantsBody: boolean }): Promise<RawAnswer> {
    this.#wantsBody = wantsBody;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      for (const piece of request) this.#socket.write(piece);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
