import {
  type MetricsExport,
  type MetricsExportOptions,
  readMetricsExportSettings,
} from "./export-settings.js";

/** Exports metrics by OTLP if the standard `OTEL_*` variables turn that on. Otherwise nothing is loaded. */
export async function openMetricsExport(options: MetricsExportOptions): Promise<MetricsExport> {
  const { environment, log } = options;
  const settings = readMetricsExportSettings(environment, (message) => log.warn(message));
  if (settings === undefined) return { close: async () => undefined };
  const { OtlpMetricsExport } = await import("./otlp-metrics-export.js");
  log.info({ collector: new URL(settings.url).host }, "Metrics are exported.");
  return new OtlpMetricsExport(settings, options);
}
