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

const closeMsMax = 3000;

/** Takes traces with the OpenTelemetry SDK. They are sent in the background, and dropped where that does not work. */
export function createOtlpTracer(settings: TraceSettings, log: Logger): Tracer {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: settings.timeoutMs,
  });
  const processor = new BatchSpanProcessor({
    exporter: watched(exporter, log),
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
    close: () => closed(provider),
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

/** Says once that the collector is away, and once that it is back. */
function watched(exporter: SpanExporter, log: Logger): SpanExporter {
  let isAway = false;
  return {
    export: (spans, tell) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && !isAway)
          log.warn({ err: result.error }, "Traces cannot be sent, and are dropped.");
        if (result.error === undefined && isAway) log.info("Traces are sent again.");
        isAway = result.error !== undefined;
        tell(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** A collector that is away must not hold up the end of the process. */
async function closed(provider: TracerProvider): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMsMax);
  });
  // Why it could not be sent is in the log.
  await Promise.race([provider.shutdown().catch(() => undefined), patience]);
  clearTimeout(timer);
}
