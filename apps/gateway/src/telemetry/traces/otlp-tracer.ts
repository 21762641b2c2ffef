import { randomUUID } from "node:crypto";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { Tracer } from "@model-gateway/domain/trace";
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { createExporter, within } from "../otlp/exporter.js";
import { DropCounter } from "./drop-counter.js";
import { OtlpRequestTrace } from "./otlp-request-trace.js";
import type { SamplerSettings, TraceSettings } from "./settings.js";

const closeTimeoutMs = 3000;

const format = {
  serializers: { "http/protobuf": ProtobufTraceSerializer, "http/json": JsonTraceSerializer },
  metricsHelper: TraceExporterMetricsHelper,
  name: "Traces",
} as const;

/** Records traces with the OpenTelemetry SDK. Spans are exported in the background, and dropped if that fails. */
export function createOtlpTracer(
  settings: TraceSettings,
  { log, secrets }: { readonly log: Logger; readonly secrets: Pick<HideSecrets, "hide"> },
): Tracer {
  const drops = new DropCounter(settings.queueMax);
  const processor = new BatchSpanProcessor({
    exporter: drops.beforeExport(createExporter(settings, format, log)),
    maxQueueSize: settings.queueMax,
    maxExportBatchSize: Math.min(settings.batchMax, settings.queueMax),
    scheduledDelayMillis: settings.delayMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.instance.id": randomUUID(), ...settings.resource }),
    sampler: createSampler(settings.sampler),
    spanProcessors: [drops.before(processor)],
  });
  const tracer = provider.getTracer("model-gateway");
  return {
    begin: (request) => new OtlpRequestTrace(tracer, request, secrets),
    dropped: () => drops.dropped,
    close: () => within(closeTimeoutMs, provider.shutdown()),
  };
}

function createSampler({ kind, isParentBased, ratio }: SamplerSettings): Sampler {
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[kind]();
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}
