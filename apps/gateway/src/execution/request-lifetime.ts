import type { IncomingHttpHeaders } from "node:http";
import { RequestCancelledError } from "@model-gateway/domain/call-context";
import { GatewayError } from "@model-gateway/domain/errors";
import { LightAbortController } from "@model-gateway/runtime/abort";

/** The reason of an abort: there is no caller left to respond to. */
export class CallerLeftError extends Error {
  constructor() {
    super("The caller left before the response was complete.");
    this.name = "CallerLeftError";
  }
}

/**
 * The lifetime of a request: until its response is closed and all work for it is done. Both ends have a list of
 * actions, so that a response needs one listener.
 */
export class RequestLifetime {
  readonly #controller = new LightAbortController();
  #serving: Promise<void> | undefined;
  readonly #background: Promise<unknown>[] = [];
  readonly #onClosed: (() => void)[] = [];
  readonly #onDone: (() => void)[] = [];

  /** Aborts when the caller leaves before the response is complete, or when its timeout has passed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get hasCallerLeft(): boolean {
    const { aborted, reason } = this.signal;
    return aborted && (reason instanceof CallerLeftError || reason instanceof RequestCancelledError);
  }

  get hasBackgroundWork(): boolean {
    return this.#background.length > 0;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** @param serving Settles when the handler is done and the response is written. */
  serve(serving: Promise<void>): Promise<void> {
    this.#serving = serving;
    return serving;
  }

  /** Adds work that may outlive the response because other callers wait for it. */
  addBackgroundWork(work: Promise<unknown>): void {
    this.#background.push(work);
  }

  /** Calls it when the response is closed. */
  whenClosed(action: () => void): void {
    this.#onClosed.push(action);
  }

  /** Calls it when the response is closed and all work is done. */
  whenDone(action: () => void): void {
    this.#onDone.push(action);
  }

  close(): void {
    for (const action of this.#onClosed) action();
  }

  end(): void {
    for (const action of this.#onDone) action();
  }

  /** Resolves when all work is done, however it ends. */
  async untilIdle(): Promise<void> {
    await this.#serving?.catch(() => undefined);
    await Promise.allSettled(this.#background);
  }
}

/** Longer waits overflow a timer. */
const timerMsMax = 2 ** 31;

/** The header in which a caller may set a shorter timeout than the gateway's. */
export const timeoutHeader = "x-gateway-timeout-ms";

/** Starts the timeout that the caller has set. The validator explains an invalid number. */
export function startTimeout(headers: IncomingHttpHeaders, lifetime: RequestLifetime): void {
  const timeoutMs = Number(headers[timeoutHeader]);
  if (!(timeoutMs >= 1 && timeoutMs < timerMsMax)) return;
  const timer = setTimeout(() => {
    lifetime.abort(
      new GatewayError(
        "upstream_timeout",
        `There was no response within ${timeoutMs} ms, the timeout set by ${timeoutHeader}.`,
      ),
    );
  }, timeoutMs);
  lifetime.whenClosed(() => clearTimeout(timer));
}
