import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import type { Plane } from "./create-plane.js";
import { contextOf } from "./http/request-context.js";

/** A plane with the requests that are under way on it, so that it can be left alone when the last one is over. */
export class Tenancy {
  readonly plane: Plane;
  #underWay = 0;
  #onEmpty: (() => void) | undefined;

  constructor(plane: Plane) {
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

  /** A picture that is being made is made to the end, even when its caller has left. */
  #settle(response: Response): void {
    const { works } = contextOf(response);
    if (works.length === 0) this.#leave();
    else void Promise.allSettled(works).then(() => this.#leave());
  }

  #leave(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#onEmpty?.();
  }
}
