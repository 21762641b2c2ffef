import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Callers that never finish: each group has a quarter of them. */
export class SlowCallers {
  readonly #port: number;
  readonly #key: string;
  readonly #sockets: Socket[] = [];
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(url: string, key: string) {
    this.#port = Number(new URL(url).port);
    this.#key = key;
  }

  /** Resolves when that many are connected. A few at a time: the kernel refuses more than its backlog. */
  async connect(count: number): Promise<void> {
    const kinds = [
      () => this.#trickle("POST /v1/embeddings HTTP/1.1\r\nhost: a\r\nx-slow: ", "a"),
      () => this.#trickle(`${this.#head(100_000)}{"model":"text"`, " "),
      () => this.#idle(),
      (number: number) => (number % 5 === 0 ? this.#readNothing() : this.#open()),
    ];
    for (let number = 0; number < count; number += 40)
      await Promise.all(Array.from({ length: 40 }, (_, index) => kinds[index % 4]?.(number + index)));
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  async #open(): Promise<Socket> {
    const socket = connect(this.#port, "127.0.0.1");
    socket.on("error", () => undefined);
    this.#sockets.push(socket);
    await once(socket, "connect");
    return socket;
  }

  /** A request whose next byte always comes. */
  async #trickle(start: string, more: string): Promise<void> {
    const socket = await this.#open();
    socket.write(start);
    this.#timers.push(setInterval(() => socket.writable && socket.write(more), 1000));
  }

  /** A connection that is kept alive after its response. */
  async #idle(): Promise<void> {
    const socket = await this.#open();
    socket.write("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n");
    await once(socket, "data");
  }

  /** Leaves a large response unread. */
  async #readNothing(): Promise<void> {
    const socket = await this.#open();
    const inputs = Array.from({ length: 64 }, (_, index) => `input ${index}`);
    const body = JSON.stringify({ model: "text", input: inputs });
    socket.pause();
    socket.write(`${this.#head(Buffer.byteLength(body))}${body}`);
  }

  #head(length: number): string {
    return `POST /v1/embeddings HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${this.#key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  }
}
