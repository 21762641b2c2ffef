import type { Logger } from "pino";
import type { AttemptTrace, RequestTrace, Tracer } from "../../domain/trace.js";
import { readTraceSettings } from "./settings.js";
import { readTraceparent } from "./trace-context.js";

/**
 * Takes traces where the environment says so by the standard `OTEL_*` variables. Where it does not, what it would take is
 * not even loaded.
 */
export async function openTracer({
  environment,
  log,
}: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}): Promise<Tracer> {
  const settings = readTraceSettings(environment, (sentence) => log.warn(sentence));
  if (settings === undefined) return passOnTracer;
  const { createOtlpTracer } = await import("./otlp-tracer.js");
  log.info({ collector: new URL(settings.url).host }, "Traces are taken.");
  return createOtlpTracer(settings, log);
}

/** Takes no traces. A caller's own goes on to the upstream as it came. */
export const passOnTracer: Tracer = {
  begin: ({ traceparent, tracestate }) => {
    if (readTraceparent(traceparent) === undefined) return nothing;
    return passOn({ traceparent: traceparent ?? "", ...(isPlain(tracestate) ? { tracestate } : {}) });
  },
  close: async () => undefined,
};

const nothing = passOn({});

function passOn(headers: Readonly<Record<string, string>>): RequestTrace {
  const attempt: AttemptTrace = { headers, end: () => undefined };
  return { beginAttempt: () => attempt, end: () => undefined };
}

/** What may stand in a header of our own. */
function isPlain(value: string | undefined): value is string {
  return value !== undefined && /^[\x20-\x7e]+$/.test(value);
}
