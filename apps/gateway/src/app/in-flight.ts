import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Response } from "express";
import { contextOf, type RequestContext, untilFinished } from "../http/request/request-context.js";
import type { Pipeline } from "./pipeline.js";

/** Counts the requests in flight on a pipeline, and drains them before it is closed. */
export class InFlight {
  readonly pipeline: Pipeline;
  #count = 0;
  #onEmpty: (() => void) | undefined;

  constructor(pipeline: Pipeline) {
    this.pipeline = pipeline;
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.#count += 1;
    response.once("close", () => this.#onClose(response as Response));
    this.pipeline.app(request, response);
  }

  /** Resolves when the last request is finished. No new one may begin. */
  async drain(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  /** The same, with a timeout. */
  async drainWithin(ms: number): Promise<void> {
    const drained = new AbortController();
    const timeout = setTimeout(ms, undefined, drained).catch(() => undefined);
    await Promise.race([this.drain(), timeout]);
    drained.abort();
  }

  /** An image that other callers wait for is finished, even when its own caller has left. */
  #onClose(response: Response): void {
    const context = contextOf(response);
    if (context.isFinished && context.backgroundWork.length === 0) this.#leave(context);
    else void untilFinished(context).then(() => this.#leave(context));
  }

  #leave({ memory }: RequestContext): void {
    memory.release();
    this.#count -= 1;
    if (this.#count === 0) this.#onEmpty?.();
  }
}
