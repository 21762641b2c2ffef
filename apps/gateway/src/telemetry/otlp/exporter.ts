import { withTimeout } from "@model-gateway/runtime/with-timeout";
import { OTLPExporterBase } from "@opentelemetry/otlp-exporter-base";
import {
  createOtlpHttpExportDelegate,
  httpAgentFactoryFromOptions,
} from "@opentelemetry/otlp-exporter-base/node-http";
import type { IExporterMetricsHelper, ISerializer } from "@opentelemetry/otlp-transformer";
import type { Logger } from "pino";
import type { OtlpSettings, Protocol } from "./settings.js";

/** The encoding of a signal. */
interface SignalFormat<Items, Reply> {
  readonly serializers: Readonly<Record<Protocol, ISerializer<Items, Reply>>>;
  readonly metricsHelper: IExporterMetricsHelper<Items>;
  /** For the log, as the start of a sentence. */
  readonly name: "Traces" | "Metrics";
}

export interface Exporter<Items> {
  export(items: Items, done: (result: { code: number; error?: Error }) => void): void;
  shutdown(): Promise<void>;
}

const contentTypes: Readonly<Record<Protocol, string>> = {
  "http/protobuf": "application/x-protobuf",
  "http/json": "application/json",
};

/** Exports in progress. A collector that is slow gets no more at a time. */
const concurrencyMax = 4;

/** Posts a signal to the collector. Retries are bounded by the timeout; later failures drop the data. */
export function createExporter<Items, Reply>(
  settings: OtlpSettings,
  format: SignalFormat<Items, Reply>,
  log: Logger,
): Exporter<Items> {
  const { url, protocol, compression, timeoutMs } = settings;
  const headers = { ...settings.headers, "Content-Type": contentTypes[protocol] };
  const delegate = createOtlpHttpExportDelegate(
    {
      url,
      compression,
      timeoutMillis: timeoutMs,
      concurrencyLimit: concurrencyMax,
      headers: async () => ({ ...headers }),
      agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
    },
    format.serializers[protocol],
    `otlp_${protocol.replace("/", "_")}_exporter`,
    format.metricsHelper,
    undefined,
  );
  return reportOutages(new OTLPExporterBase(delegate), format.name, log);
}

/** Logs once that the collector is unreachable, and once that it is back. */
function reportOutages<Items>(exporter: Exporter<Items>, name: string, log: Logger): Exporter<Items> {
  let isFailing = false;
  return {
    export: (items, done) =>
      exporter.export(items, (result) => {
        // Only the message: the error holds the whole reply of the collector.
        if (result.error !== undefined && !isFailing)
          log.warn({ reason: result.error.message }, `${name} cannot be exported and are dropped.`);
        if (result.error === undefined && isFailing) log.info(`${name} are exported again.`);
        isFailing = result.error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** Waits for a last export, but not long: an unreachable collector must not delay the exit of the process. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  // The reason is already in the log.
  await withTimeout(work, ms, () => undefined).catch(() => undefined);
}
