import { OtelEnvironment, type OtlpEnvironment, type Warn } from "../otlp/environment.js";
import { type OtlpSettings, readOtlpSettings } from "../otlp/settings.js";

/** Sampling and export of traces. */
export interface TraceSettings extends OtlpSettings {
  readonly sampler: SamplerSettings;
  readonly queueMax: number;
  readonly batchMax: number;
  readonly delayMs: number;
}

export interface SamplerSettings {
  readonly kind: "always_on" | "always_off" | "traceidratio";
  /** Whether the caller's sampling decision takes precedence. */
  readonly isParentBased: boolean;
  /** From 0 to 1. */
  readonly ratio: number;
}

/** Undefined if traces are off. */
export function readTraceSettings(variables: OtlpEnvironment, warn: Warn): TraceSettings | undefined {
  const environment = new OtelEnvironment(variables, warn);
  const settings = readOtlpSettings("traces", environment);
  return (
    settings && {
      ...settings,
      sampler: readSampler(environment),
      queueMax: environment.number("OTEL_BSP_MAX_QUEUE_SIZE", 2048),
      batchMax: environment.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512),
      delayMs: environment.number("OTEL_BSP_SCHEDULE_DELAY", 5000),
    }
  );
}

function readSampler(environment: OtelEnvironment): SamplerSettings {
  const name = environment.text("OTEL_TRACES_SAMPLER") ?? "parentbased_always_on";
  const [, parentBased, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  if (kind === undefined)
    environment.warn("OTEL_TRACES_SAMPLER names an unknown sampler; all traces are recorded.");
  const given = Number(environment.text("OTEL_TRACES_SAMPLER_ARG") ?? 1);
  const isRatio = given >= 0 && given <= 1;
  if (!isRatio) environment.warn("OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1; 1 is used.");
  return {
    kind: (kind ?? "always_on") as SamplerSettings["kind"],
    isParentBased: kind === undefined || parentBased !== undefined,
    ratio: isRatio ? given : 1,
  };
}
