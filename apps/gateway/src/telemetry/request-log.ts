import type { DestinationStream, Logger } from "pino";
import pino from "pino";

const { streamSym, timeSym } = pino.symbols;

/** What the log says of a request. */
export interface LoggedRequest {
  readonly id: string;
  readonly clientRequestId: string | undefined;
  readonly operation: string | undefined;
  readonly caller: string | undefined;
  readonly callerName: string | undefined;
  readonly model: string | undefined;
  readonly upstream: string | undefined;
  readonly attempts: number | undefined;
  readonly cache: string | undefined;
  readonly errorCode: string | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** A finished request, and how it ended. */
export interface FinishedLogEntry {
  readonly context: LoggedRequest;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
}

const gatherMs = 20;
const linesMax = 256;
/** As much as a pipe takes whole, so that no line of another process comes in between. */
const writeLengthMax = 4096;

/**
 * One line a request, when it is over. Sizes and names, never a key, a prompt, a vector or an image.
 *
 * Lines are written as pino would write them, without the way there: that takes five times as long, for a line of always
 * the same form. They gather for a moment, because each write costs as much as several lines, and somebody may have
 * sent the next request already.
 */
export class RequestLog {
  readonly #log: Logger;
  readonly #time: () => string;
  #lines: { readonly time: string; readonly fields: object }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
    this.#time = insides(log)[timeSym] as () => string;
  }

  add({ context, method, status, ms }: FinishedLogEntry): void {
    if (!this.#log.isLevelEnabled("info")) return;
    // What is undefined is left out.
    const fields = {
      id: context.id,
      clientRequestId: context.clientRequestId,
      operation: context.operation,
      caller: context.caller,
      callerName: context.callerName,
      model: context.model,
      upstream: context.upstream,
      attempts: context.attempts,
      cache: context.cache,
      errorCode: context.errorCode,
      requestBytes: context.requestBytes,
      responseBytes: context.responseBytes,
      method,
      status,
      ms: Math.round(ms * 10) / 10,
      msg: "request",
    };
    this.#lines.push({ time: this.#time(), fields });
    if (this.#lines.length >= linesMax) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), gatherMs).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const lines = this.#lines;
    this.#lines = [];
    const stream = insides(this.#log)[streamSym] as DestinationStream;
    let text = "";
    for (const { time, fields } of lines) {
      const line = `{"level":"info"${time},${JSON.stringify(fields).slice(1)}\n`;
      if (text.length > 0 && text.length + line.length > writeLengthMax) {
        stream.write(text);
        text = "";
      }
      text += line;
    }
    stream.write(text);
  }
}

function insides(log: Logger): Record<symbol, unknown> {
  return log as unknown as Record<symbol, unknown>;
}
