import { connect, type Socket } from "node:net";
import { MessageReader } from "./message-reader.js";

export interface RawResponse {
  readonly status: number;
  readonly bodyBytes: number;
  /** Empty unless the body was requested. */
  readonly body: readonly Buffer[];
}

/** One keep-alive connection with one request in flight at a time. */
export class Connection {
  readonly #socket: Socket;
  #wantsBody = false;
  #pending: { resolve: (response: RawResponse) => void; reject: (failure: Error) => void } | undefined;

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
        this.#pending?.resolve({ status: Number(startLine.slice(9, 12)), bodyBytes, body });
        this.#pending = undefined;
      },
    });
    socket.on("data", (chunk) => reader.push(chunk));
    socket.on("error", (failure) => this.#pending?.reject(failure));
    socket.on("close", () => this.#pending?.reject(new Error("The connection was closed.")));
  }

  send(request: readonly Buffer[], { wantsBody }: { wantsBody: boolean }): Promise<RawResponse> {
    this.#wantsBody = wantsBody;
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      for (const piece of request) this.#socket.write(piece);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
