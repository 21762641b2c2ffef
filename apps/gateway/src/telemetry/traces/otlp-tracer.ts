import { randomUUID } from "node:crypto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { Tracer } from "../../domain/trace.js";
import { OtlpRequestTrace } from "./otlp-request-trace.js";
import type { SamplerSettings, TraceSettings } from "./settings.js";

const closeTimeoutMs = 3000;

/** Records traces with the OpenTelemetry SDK. Spans are exported in the background, and dropped if that fails. */
export function createOtlpTracer(settings: TraceSettings, log: Logger): Tracer {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: settings.timeoutMs,
  });
  const processor = new BatchSpanProcessor({
    exporter: reportOutages(exporter, log),
    maxQueueSize: settings.queueMax,
    maxExportBatchSize: Math.min(settings.batchMax, settings.queueMax),
    scheduledDelayMillis: settings.delayMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.instance.id": randomUUID(), ...settings.resource }),
    sampler: createSampler(settings.sampler),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("model-gateway");
  return {
    begin: (request) => new OtlpRequestTrace(tracer, request),
    close: () => shutDown(provider),
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

/** Logs once that the collector is unreachable, and once that it is back. */
function reportOutages(exporter: SpanExporter, log: Logger): SpanExporter {
  let isAway = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && !isAway)
          log.warn({ err: result.error }, "Traces cannot be exported and are dropped.");
        if (result.error === undefined && isAway) log.info("Traces are exported again.");
        isAway = result.error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** An unreachable collector must not delay the exit of the process. */
async function shutDown(provider: TracerProvider): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeTimeoutMs);
  });
  // The reason is already in the log.
  await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
  clearTimeout(timer);
}
