import type { Logger } from "pino";
import type { Tracer } from "../domain/trace.js";
import { passOnTracer } from "./pass-on-tracer.js";
import { readTraceSettings } from "./trace-settings.js";

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
