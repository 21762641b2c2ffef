import { setTimeout } from "node:timers/promises";
import type { Config } from "@model-gateway/config/config";
import type { Logger } from "pino";
import { type StopTimes, stopTimes } from "../app/stop-times.js";

export const stopSignals = ["SIGTERM", "SIGINT"] as const;

interface StopOptions {
  readonly log: Logger;
  /** Number of requests in flight. Undefined if workers have them. */
  readonly inFlight?: () => number;
  readonly stop: (times: StopTimes) => Promise<void>;
}

/** The first signal drains requests in flight, and the second one exits at once. */
export function stopOnSignals({ limits }: Config, { log, inFlight, stop }: StopOptions): void {
  const times = stopTimes(limits);
  let isStopping = false;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      log.info(
        { signal, requestsInFlight: inFlight?.(), stopMs: limits.stopMs },
        "The gateway stops. It finishes the requests in flight first; a second signal exits at once.",
      );
      // Ctrl-C: no load balancer has to notice first.
      void stop(signal === "SIGINT" ? { ...times, delayMs: 0 } : times)
        .then(() => log.info("The gateway has stopped."))
        .finally(() => process.exit(0));
    });
  }
}

/** Exits even if something cannot be closed, such as the connection to a database that is unavailable. */
export function exitAfter(ms: number, log: Logger): void {
  void setTimeout(ms, undefined, { ref: false }).then(() => {
    log.warn("The gateway could not close everything within limits.stopMs. It exits all the same.");
    process.exit(0);
  });
}
