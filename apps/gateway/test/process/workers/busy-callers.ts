import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout } from "node:timers/promises";

export interface BusyCallersOptions {
  readonly url: string;
  readonly key: string;
  /** Half of them keep their connection, the others open one for each request. */
  readonly callers: number;
}

/** Callers that send one request after the other, while a gateway stops, and remember those that were lost. */
export class BusyCallers {
  served = 0;
  /** Number of refused connections, as expected once the gateway is gone. */
  refused = 0;
  /** Why other requests have no complete response. */
  readonly lost: string[] = [];
  readonly #options: BusyCallersOptions;
  readonly #callers: readonly Promise<void>[];
  #isOver = false;

  constructor(options: BusyCallersOptions) {
    this.#options = options;
    this.#callers = Array.from({ length: options.callers }, (_, number) => this.#call(number % 2 === 0));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
  }

  async #call(keepAlive: boolean): Promise<void> {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    while (!this.#isOver) {
      await this.#send(agent);
      // So that some requests come right after a response and others a little later.
      await setTimeout((this.served * 7) % 50);
    }
    agent.destroy();
  }

  async #send(agent: Agent): Promise<void> {
    const { url, key } = this.#options;
    const body = JSON.stringify({ model: "text", input: "a" });
    let progress = "before the response";
    let isReused = false;
    try {
      await new Promise<void>((resolve, reject) => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        const sent = request(`${url}/v1/embeddings`, { method: "POST", agent, headers });
        sent.on("error", (failure) => {
          isReused = sent.reusedSocket;
          reject(failure);
        });
        sent.on("response", (response: IncomingMessage) => {
          progress = `in a response with ${response.statusCode}`;
          response.on("error", reject).on("end", resolve).resume();
          if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        });
        sent.end(body);
      });
      this.served += 1;
    } catch (failure) {
      const code = failure instanceof Error && "code" in failure ? failure.code : failure;
      if (code === "ECONNREFUSED") this.refused += 1;
      else this.lost.push(`${code} ${progress} on a ${isReused ? "kept" : "fresh"} connection`);
    }
  }
}
