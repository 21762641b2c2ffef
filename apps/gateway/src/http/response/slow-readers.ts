import type { Socket } from "node:net";
import type { Clock } from "@model-gateway/runtime/clock";
import { RateWatch } from "@model-gateway/runtime/rate-watch";
import type { Logger } from "pino";

const leastRate = { bytesPerSecond: 10_000, windowMs: 45_000 };

interface SlowReadersOptions {
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Ends connections whose callers hardly read while more waits to be written: the memory of a response is needed for
 * others. All connections are watched, so no response has a timer.
 */
export class SlowReaders {
  readonly #watch: RateWatch;
  readonly #log: Logger;
  #ended = 0;

  constructor({ clock, log }: SlowReadersOptions) {
    this.#watch = new RateWatch(leastRate, clock);
    this.#log = log;
  }

  /** Number of connections that it has ended. */
  get ended(): number {
    return this.#ended;
  }

  /** @param callerOf The caller whose response waits, if it is known. */
  watch(socket: Socket, callerOf: () => string | undefined): void {
    const end = this.#watch.watch({
      get bytes() {
        return sentBytes(socket);
      },
      get isAwaited() {
        return socket.writableLength > 0;
      },
      onSlow: () => {
        this.#ended += 1;
        this.#log.warn(
          { caller: callerOf() },
          `A connection was ended: its caller read less than ${leastRate.bytesPerSecond} bytes a second, averaged over ${leastRate.windowMs / 1000} seconds, of a response that waited.`,
        );
        // A reset frees what the system still holds. A TLS socket cannot send one.
        if (isSecure(socket)) socket.destroy();
        else socket.resetAndDestroy();
      },
    });
    socket.once("close", end);
  }
}

function isSecure(socket: Socket): boolean {
  return "encrypted" in socket;
}

/** Node's handle of a connection, which is not documented. Its own socket timeouts look at these numbers. */
interface Handle {
  /** Bytes that were handed over, and those of them that the system has not taken yet. */
  readonly bytesWritten?: number;
  readonly writeQueueSize?: number;
}

/** Bytes that the system has taken. Node itself counts a write only once all of it is taken. */
function sentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: Handle | null };
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined)
    return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
}
