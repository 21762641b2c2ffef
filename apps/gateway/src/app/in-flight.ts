import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Response } from "express";
import { contextOf, untilFinished } from "../http/request/request-context.js";
import type { Pipeline } from "./pipeline.js";

/** A plane with the requests that are under way on it, so that it can be left alone when the last one is over. */
export class InFlight {
  readonly plane: Pipeline;
  #underWay = 0;
  #onEmpty: (() => void) | undefined;

  constructor(plane: Pipeline) {
    this.plane = plane;
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.#underWay += 1;
    response.once("close", () => this.#settle(response as Response));
    this.plane.app(request, response);
  }

  /** Resolves when the last request is over. No new one may begin. */
  async end(): Promise<void> {
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  /** The same, for one who cannot wait for ever. */
  async endWithin(ms: number): Promise<void> {
    const over = new AbortController();
    const late = setTimeout(ms, undefined, over).catch(() => undefined);
    await Promise.race([this.end(), late]);
    over.abort();
  }

  /** An image that others wait for is made to the end, even when its caller has left. */
  #settle(response: Response): void {
    const context = contextOf(response);
    if (context.isFinished && context.backgroundWork.length === 0) this.#leave();
    else void untilFinished(context).then(() => this.#leave());
  }

  #leave(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#onEmpty?.();
  }
}
