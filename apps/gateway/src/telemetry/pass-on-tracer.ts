import type { RequestTrace, Tracer, TryTrace } from "../domain/trace.js";
import { readTraceparent } from "./trace-context.js";

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
  const attempt: TryTrace = { headers, end: () => undefined };
  return { beginTry: () => attempt, end: () => undefined };
}

/** What may stand in a header of our own. */
function isPlain(value: string | undefined): value is string {
  return value !== undefined && /^[\x20-\x7e]+$/.test(value);
}
