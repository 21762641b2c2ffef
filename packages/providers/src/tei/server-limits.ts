import { GatewayError } from "@model-gateway/domain/errors";
import { isObject } from "@model-gateway/runtime/json";
import { type Call, ownCall } from "../call.js";
import { readJson } from "../http/json-request.js";
import { readTokenCount } from "../http/replies/vectors.js";
import type { Send } from "../http/send.js";

const infoTimeoutMs = 10_000;

/**
 * The most inputs that a server takes in one call, which `GET /info` states. It is requested once, for the first call
 * with several inputs, and again only after a failure. It is single-flight: calls that come meanwhile wait for the same
 * reply.
 */
export class ServerLimits {
  readonly #send: Send;
  #maxInputs: number | undefined;
  #reading: Promise<number> | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  maxInputs(call: Call): number | Promise<number> {
    if (this.#maxInputs !== undefined) return this.#maxInputs;
    this.#reading ??= this.#read(call).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read({ target, remainingMs }: Call): Promise<number> {
    // Its own call: the caller of the first one may leave while others wait.
    const call = ownCall({
      target,
      signal: new AbortController().signal,
      timeoutMs: Math.min(infoTimeoutMs, remainingMs),
    });
    this.#maxInputs = await this.#readInfo(call);
    return this.#maxInputs;
  }

  async #readInfo(call: Call): Promise<number> {
    try {
      const info = await readJson(await this.#send({ method: "GET", path: "/info", headers: {} }, call));
      return (isObject(info) ? readTokenCount(info.max_client_batch_size) : undefined) ?? Infinity;
    } catch (failure) {
      // A proxy in front may only know the path for embeddings. A refusal then teaches the limit.
      if (failure instanceof GatewayError && failure.upstreamStatus === 404) return Infinity;
      throw failure;
    }
  }
}
