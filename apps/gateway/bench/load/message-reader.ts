/** An HTTP/1.1 request or response. */
export interface Message {
  /** The request line or the status line. */
  readonly startLine: string;
  readonly bodyBytes: number;
  /** Empty unless `wantsBody` returned true. */
  readonly body: readonly Buffer[];
}

export interface MessageReaderOptions {
  readonly wantsBody: (startLine: string) => boolean;
  readonly onMessage: (message: Message) => void;
}

type Expecting = "head" | "body" | "chunk size" | "chunk" | "end of chunk" | "end of chunks";

/**
 * Reads HTTP/1.1 messages from a socket. It supports only the part of HTTP that the benchmark sends: a cheap generator
 * and a cheap upstream leave the machine to the proxy that is measured.
 */
export class MessageReader {
  readonly #options: MessageReaderOptions;
  #expecting: Expecting = "head";
  /** The start of a line whose end has not arrived. */
  #unread: Buffer | undefined;
  #startLine = "";
  #keepsBody = false;
  #body: Buffer[] = [];
  #bodyBytes = 0;
  #remaining = 0;

  constructor(options: MessageReaderOptions) {
    this.#options = options;
  }

  push(received: Buffer): void {
    const chunk = this.#unread === undefined ? received : Buffer.concat([this.#unread, received]);
    this.#unread = undefined;
    let at = 0;
    while (at < chunk.length) {
      const next = this.#step(chunk, at);
      if (next === undefined) {
        this.#unread = chunk.subarray(at);
        return;
      }
      at = next;
    }
  }

  /** Reads one element. Returns the offset of the next, or undefined if more bytes are needed. */
  #step(chunk: Buffer, at: number): number | undefined {
    switch (this.#expecting) {
      case "head":
        return this.#readHead(chunk, at);
      case "body":
      case "chunk":
        return this.#readContent(chunk, at);
      case "chunk size":
        return this.#readLine(chunk, at, (line) => {
          this.#remaining = Number.parseInt(line, 16);
          this.#expecting = this.#remaining === 0 ? "end of chunks" : "chunk";
        });
      case "end of chunk":
        return this.#readLine(chunk, at, () => {
          this.#expecting = "chunk size";
        });
      case "end of chunks":
        return this.#readLine(chunk, at, () => this.#finish());
    }
  }

  #readHead(chunk: Buffer, at: number): number | undefined {
    const end = chunk.indexOf("\r\n\r\n", at);
    if (end === -1) return undefined;
    const head = chunk.toString("latin1", at, end);
    this.#startLine = head.slice(0, head.indexOf("\r\n"));
    this.#keepsBody = this.#options.wantsBody(this.#startLine);
    const length = /\ncontent-length: ?(\d+)/i.exec(head)?.[1];
    this.#remaining = length === undefined ? 0 : Number(length);
    if (length === undefined && /\ntransfer-encoding: ?chunked/i.test(head)) this.#expecting = "chunk size";
    else if (this.#remaining === 0) this.#finish();
    else this.#expecting = "body";
    return end + 4;
  }

  #readContent(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#remaining);
    if (this.#keepsBody) this.#body.push(chunk.subarray(at, end));
    this.#bodyBytes += end - at;
    this.#remaining -= end - at;
    if (this.#remaining === 0) {
      if (this.#expecting === "body") this.#finish();
      else this.#expecting = "end of chunk";
    }
    return end;
  }

  #readLine(chunk: Buffer, at: number, take: (line: string) => void): number | undefined {
    const end = chunk.indexOf("\r\n", at);
    if (end === -1) return undefined;
    take(chunk.toString("latin1", at, end));
    return end + 2;
  }

  #finish(): void {
    const message = { startLine: this.#startLine, bodyBytes: this.#bodyBytes, body: this.#body };
    this.#expecting = "head";
    this.#body = [];
    this.#bodyBytes = 0;
    this.#options.onMessage(message);
  }
}
