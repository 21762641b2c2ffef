import type { Config } from "@model-gateway/config/config";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import type { Logger } from "pino";
import {
  atomicWriteBytes,
  createLog,
  createRequestLog,
  type LogRequest,
  openLogDestination,
} from "../telemetry/log.js";
import { createTextRequestLog, textDestination } from "../telemetry/text-log.js";

/** JSON lines for programs, or text for people. */
export type LogFormat = "json" | "text";

/** The format that was asked for. By default, a terminal gets text. */
export function chooseLogFormat(wanted: LogFormat | undefined): LogFormat {
  return wanted ?? (process.stdout.isTTY ? "text" : "json");
}

/** https://no-color.org: any text in NO_COLOR turns colours off. */
function hasColour({ NO_COLOR = "", TERM }: Readonly<Record<string, string | undefined>>): boolean {
  return process.stdout.isTTY && NO_COLOR === "" && TERM !== "dumb";
}

interface OpenLog {
  readonly log: Logger;
  readonly logRequest: LogRequest;
  /** The filter that all lines pass. */
  readonly secrets: SecretFilter;
}

/** The log on standard output. Buffered lines are written when the process exits. */
export function openLog({ logLevel, workers, secrets: configured }: Config, format: LogFormat): OpenLog {
  const destination = openLogDestination(workers === 1 ? {} : { writeBytesMax: atomicWriteBytes });
  process.on("exit", () => destination.flushSync());
  const secrets = new SecretFilter(configured);
  for (const value of collectorCredentials(process.env)) secrets.learn(value);
  if (format === "text") {
    const style = { hasColour: hasColour(process.env), now: Date.now };
    const log = createLog(logLevel, textDestination(destination, style), secrets);
    return { log, logRequest: createTextRequestLog(log, { destination, secrets, style }), secrets };
  }
  const log = createLog(logLevel, destination, secrets);
  return { log, logRequest: createRequestLog(log, destination, secrets), secrets };
}

/** A person sees that the start has begun: local models may take some seconds. */
export function announceStart(log: Logger, format: LogFormat): void {
  if (format === "text") log.info("Starting: storage, upstreams and local models.");
}

/** The headers for OpenTelemetry's collector, which failed exports may quote. */
function collectorCredentials(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = ["", "_TRACES", "_METRICS"].map((signal) => `OTEL_EXPORTER_OTLP${signal}_HEADERS`);
  return names.flatMap((name) =>
    (environment[name] ?? "").split(",").flatMap((pair) => {
      const value = pair.slice(pair.indexOf("=") + 1).trim();
      return [value, ...value.split(/%20|\s/).slice(1)];
    }),
  );
}
