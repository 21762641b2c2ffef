import type { IncomingMessage } from "node:http";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Clock } from "@model-gateway/runtime/clock";
import { RateWatch } from "@model-gateway/runtime/rate-watch";

const leastRate = { bytesPerSecond: 1000, windowMs: 30_000 };

/** Ends request bodies that hardly arrive: what they hold is needed for others. */
export class SlowBodies {
  readonly #watch: RateWatch;

  constructor(clock: Clock) {
    this.#watch = new RateWatch(leastRate, clock);
  }

  /** Returns what ends the watch. */
  watch(request: IncomingMessage, onSlow: (error: GatewayError) => void): () => void {
    const { socket } = request;
    return this.#watch.watch({
      get bytes() {
        return socket.bytesRead;
      },
      // Where reading is paused, or bytes wait to be stored, the gateway is what is slow.
      get isAwaited() {
        return !request.complete && !request.isPaused() && request.readableLength === 0;
      },
      onSlow: () => onSlow(slowBody()),
    });
  }

  /** Settles as the receiving does, unless the body is too slow. */
  refuse<T>(request: IncomingMessage, receiving: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = this.watch(request, reject);
      receiving.then(resolve, reject).finally(end);
    });
  }
}

function slowBody(): GatewayError {
  const { bytesPerSecond, windowMs } = leastRate;
  return new GatewayError(
    "request_timeout",
    `The request body arrives at less than ${bytesPerSecond} bytes a second, averaged over ${windowMs / 1000} seconds. Look for a slow line or a proxy in between, and send the request again.`,
  );
}
