import { setTimeout } from "node:timers/promises";

export interface CrowdOptions {
  /** Number of concurrent callers, each with one request at a time. */
  readonly callers: number;
  /** Pause of each caller after a response. */
  readonly restMs: number;
  readonly send: (number: number) => Promise<Response>;
}

/** A response that was read to its end. */
export interface ReadAnswer {
  readonly id: string;
  readonly status: number;
  readonly ms: number;
}

/** Callers that send requests without an end, and remember the responses. */
export class Crowd {
  /** Every response that was read to its end. */
  readonly answers: ReadAnswer[] = [];
  /** The causes of missing or incomplete responses. */
  readonly failures: unknown[] = [];
  readonly #callers: readonly Promise<void>[];
  #sent = 0;
  #isOver = false;

  constructor(options: CrowdOptions) {
    this.#callers = Array.from({ length: options.callers }, () => this.#call(options));
  }

  /** Each of them waits for its last response. */
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
