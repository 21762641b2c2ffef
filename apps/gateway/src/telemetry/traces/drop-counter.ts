import type { DroppedSpans } from "@model-gateway/domain/trace";
import type { ReadableSpan, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";

/**
 * Counts lost spans. The SDK silently drops a span when its queue is full: here the span is dropped one step before, by
 * the same rule.
 */
export class DropCounter {
  readonly #queueMax: number;
  readonly #dropped = { queueFull: 0, exportFailed: 0 };
  /** Spans that wait in the processor. */
  #queued = 0;

  constructor(queueMax: number) {
    this.#queueMax = queueMax;
  }

  get dropped(): DroppedSpans {
    return { ...this.#dropped };
  }

  /** Stands before the processor that queues the spans. */
  before(processor: SpanProcessor): SpanProcessor {
    return {
      onStart: () => undefined,
      onEnd: (span) => {
        if (!isSampled(span)) return;
        if (this.#queued >= this.#queueMax) {
          this.#dropped.queueFull += 1;
          return;
        }
        this.#queued += 1;
        processor.onEnd(span);
      },
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    };
  }

  /** Stands before the exporter, which the processor hands whole batches to. */
  beforeExport(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) => {
        this.#queued -= spans.length;
        exporter.export(spans, (result) => {
          if (result.error !== undefined) this.#dropped.exportFailed += spans.length;
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    };
  }
}

function isSampled(span: ReadableSpan): boolean {
  return (span.spanContext().traceFlags & 1) === 1;
}
