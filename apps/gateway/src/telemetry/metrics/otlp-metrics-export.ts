import { randomUUID } from "node:crypto";
import { every, type Repetition } from "@model-gateway/runtime/every";
import type { HrTime } from "@opentelemetry/api";
import {
  JsonMetricsSerializer,
  MetricsExporterMetricsHelper,
  ProtobufMetricsSerializer,
} from "@opentelemetry/otlp-transformer";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";
import { createExporter, type Exporter, within } from "../otlp/exporter.js";
import type { MetricsExport, MetricsExportOptions, MetricsExportSettings } from "./export-settings.js";
import { toMetricData } from "./otlp-points.js";

const closeTimeoutMs = 2000;

const format = {
  serializers: { "http/protobuf": ProtobufMetricsSerializer, "http/json": JsonMetricsSerializer },
  metricsHelper: MetricsExporterMetricsHelper,
  name: "Metrics",
} as const;

/**
 * Sends all metrics at an interval, one export at a time. Values are cumulative, so an export that fails loses only a
 * point of the curve.
 */
export class OtlpMetricsExport implements MetricsExport {
  readonly #exporter: Exporter<ResourceMetrics>;
  readonly #options: MetricsExportOptions;
  readonly #resource: Resource;
  readonly #startTime = now();
  readonly #exporting: Repetition;

  constructor(settings: MetricsExportSettings, options: MetricsExportOptions) {
    this.#options = options;
    this.#exporter = createExporter<ResourceMetrics, unknown>(settings, format, options.log);
    this.#resource = resourceFromAttributes({
      "service.instance.id": randomUUID(),
      "service.version": options.version,
      ...settings.resource,
    });
    this.#exporting = every(settings.intervalMs, () => this.#export(), { task: "export_metrics" });
  }

  async close(): Promise<void> {
    await within(closeTimeoutMs, this.#finish());
  }

  async #finish(): Promise<void> {
    await this.#exporting.stop();
    await this.#export();
    await this.#exporter.shutdown();
  }

  async #export(): Promise<void> {
    const { collect, log, version } = this.#options;
    try {
      const metrics = toMetricData(await collect(), { startTime: this.#startTime, endTime: now() });
      // No worker has reported yet.
      if (metrics.length === 0) return;
      const scopeMetrics = [{ scope: { name: "model-gateway", version }, metrics }];
      await new Promise<void>((resolve) => {
        this.#exporter.export({ resource: this.#resource, scopeMetrics }, () => resolve());
      });
    } catch (failure) {
      log.warn({ err: failure }, "The metrics could not be collected for an export.");
    }
  }
}

/** Seconds and nanoseconds since 1970. */
function now(): HrTime {
  const ms = Date.now();
  return [Math.floor(ms / 1000), (ms % 1000) * 1e6];
}
