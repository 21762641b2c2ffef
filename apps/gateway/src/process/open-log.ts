import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import {
  atomicWriteBytes,
  createLog,
  createRequestLog,
  type LogRequest,
  openLogDestination,
} from "../telemetry/log.js";

/** The log on standard output. What is buffered is written when the process exits. */
export function openLog({ logLevel, workers }: Config): { log: Logger; logRequest: LogRequest } {
  const destination = openLogDestination(workers === 1 ? {} : { writeBytesMax: atomicWriteBytes });
  process.on("exit", () => destination.flushSync());
  const log = createLog(logLevel, destination);
  return { log, logRequest: createRequestLog(log, destination) };
}
