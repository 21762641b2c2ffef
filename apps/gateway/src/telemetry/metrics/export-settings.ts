import type { Logger } from "pino";
import { OtelEnvironment, type OtlpEnvironment, type Warn } from "../otlp/environment.js";
import { type OtlpSettings, readOtlpSettings } from "../otlp/settings.js";
import type { MetricsReport } from "./metric.js";

/** The endpoint and interval of metrics exports. */
export interface MetricsExportSettings extends OtlpSettings {
  readonly intervalMs: number;
}

/** Exports metrics while the process runs. */
export interface MetricsExport {
  /** Exports a last time, within a few seconds. */
  close(): Promise<void>;
}

export interface MetricsExportOptions {
  readonly environment: OtlpEnvironment;
  readonly log: Logger;
  /** The version of the gateway. */
  readonly version: string;
  /** The whole gateway's metrics: of this process, or the sum of all workers. */
  readonly collect: () => Promise<MetricsReport>;
}

/** Undefined if the export of metrics is off. */
export function readMetricsExportSettings(
  variables: OtlpEnvironment,
  warn: Warn,
): MetricsExportSettings | undefined {
  const environment = new OtelEnvironment(variables, warn);
  const settings = readOtlpSettings("metrics", environment);
  if (settings === undefined) return undefined;
  const temporality = environment.text("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE");
  if (temporality !== undefined && temporality.toLowerCase() !== "cumulative")
    warn("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: metrics are always cumulative.");
  const timeoutMs = Math.min(
    settings.timeoutMs,
    environment.number("OTEL_METRIC_EXPORT_TIMEOUT", settings.timeoutMs),
  );
  return {
    ...settings,
    timeoutMs,
    intervalMs: environment.number("OTEL_METRIC_EXPORT_INTERVAL", 60_000),
  };
}
