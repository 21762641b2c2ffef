import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { AttemptTrace, RequestTrace, Tracer } from "@model-gateway/domain/trace";
import type { Logger } from "pino";
import { readTraceSettings } from "./settings.js";
import { readTraceparent } from "./trace-context.js";

/** Records traces if the standard `OTEL_*` variables turn them on. Otherwise the OpenTelemetry SDK is not even loaded. */
export async function openTracer({
  environment,
  log,
  secrets,
}: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly secrets: Pick<HideSecrets, "hide">;
}): Promise<Tracer> {
  const settings = readTraceSettings(environment, (message) => log.warn(message));
  if (settings === undefined) return propagationTracer;
  const { createOtlpTracer } = await import("./otlp-tracer.js");
  log.info({ collector: new URL(settings.url).host }, "Traces are recorded.");
  return createOtlpTracer(settings, { log, secrets });
}

/** Records nothing. A caller's trace context is forwarded to the upstream unchanged. */
export const propagationTracer: Tracer = {
  begin: ({ traceparent, tracestate }) => {
    if (readTraceparent(traceparent) === undefined) return noHeaders;
    return passOn({ traceparent: traceparent ?? "", ...(isPrintable(tracestate) ? { tracestate } : {}) });
  },
  dropped: () => ({ queueFull: 0, exportFailed: 0 }),
  close: async () => undefined,
};

const noHeaders = passOn({});

function passOn(headers: Readonly<Record<string, string>>): RequestTrace {
  const attempt: AttemptTrace = { headers, end: () => undefined };
  return { beginAttempt: () => attempt, end: () => undefined };
}

/** Printable ASCII can be forwarded in a header. */
function isPrintable(value: string | undefined): value is string {
  return value !== undefined && /^[\x20-\x7e]+$/.test(value);
}
