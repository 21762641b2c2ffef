import { setTimeout } from "node:timers/promises";

export interface CrowdOptions {
  /** How many ask at the same time, each one request after the other. */
  readonly callers: number;
  /** How long each rests after an answer. */
  readonly restMs: number;
  readonly send: (number: number) => Promise<Response>;
}

/** An answer that was read to its end. */
export interface ReadAnswer {
  readonly id: string;
  readonly status: number;
  readonly ms: number;
}

/** Callers that ask without an end, and remember what they were answered. */
export class Crowd {
  /** Every answer that one of them has read to its end. */
  readonly answers: ReadAnswer[] = [];
  /** Why requests were not answered, or not to their end. */
  readonly failures: unknown[] = [];
  readonly #callers: readonly Promise<void>[];
  #sent = 0;
  #isOver = false;

  constructor(options: CrowdOptions) {
    this.#callers = Array.from({ length: options.callers }, () => this.#call(options));
  }

  /** Each of them waits for its last answer. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
  }

  async #call({ send, restMs }: CrowdOptions): Promise<void> {
    while (!this.#isOver) {
      this.#sent += 1;
      const sentAt = performance.now();
      try {
        const answer = await send(this.#sent);
        await answer.arrayBuffer();
        const id = answer.headers.get("x-request-id") ?? "";
        this.answers.push({ id, status: answer.status, ms: performance.now() - sentAt });
      } catch (failure) {
        this.failures.push(failure);
      }
      await setTimeout(restMs);
    }
  }
}
