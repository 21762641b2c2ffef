import type { IncomingMessage } from "node:http";
import { GatewayError } from "../../errors.js";

/** A caller that sends nothing of a body for this long counts as gone: its memory is needed for others. */
export const stalledMsMax = 30_000;

export function stalledBody(): GatewayError {
  return new GatewayError(
    "request_timeout",
    `Nothing more of the request body arrived within ${stalledMsMax / 1000} seconds.`,
  );
}

/**
 * Rejects if nothing of a form arrives for a while. It looks at the socket now and then, because a timer for each piece
 * of a large form costs more than the form.
 */
export function unlessStalled<T>(
  request: IncomingMessage,
  receiving: Promise<T>,
  everyMs = stalledMsMax,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let seenBytes = -1;
    const timer = setInterval(() => {
      const { bytesRead } = request.socket;
      // Bytes that have arrived and are not stored yet wait for the gateway, not for the caller.
      const isAwaited = !request.complete && request.readableLength === 0;
      if (isAwaited && bytesRead === seenBytes) reject(stalledBody());
      seenBytes = bytesRead;
    }, everyMs);
    receiving.then(resolve, reject).finally(() => clearInterval(timer));
  });
}
