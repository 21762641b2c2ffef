/** How traces are sampled and where they are exported to. */
export interface TraceSettings {
  /** Of the collector. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly sampler: SamplerSettings;
  readonly resource: Readonly<Record<string, string>>;
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

type Environment = Readonly<Record<string, string | undefined>>;
type Warn = (message: string) => void;

const defaultEndpoint = "http://localhost:4318";
const defaultServiceName = "model-gateway";

/**
 * Reads the standard `OTEL_*` variables. Returns undefined if traces are off, which is the default without an endpoint.
 * A variable that cannot be parsed counts as absent, as the standard demands. The warning names the variable but not
 * its value, which may be a secret.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function readTraceSettings(environment: Environment, warn: Warn): TraceSettings | undefined {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  if (read("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;
  if (!isEnabled(read, warn)) return undefined;
  const url = endpoint(read);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    warn("OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL; traces are off.");
    return undefined;
  }
  const number = (name: string, fallback: number) => readNumber({ read, warn }, name, fallback);
  return {
    url,
    headers: {
      ...readPairs("OTEL_EXPORTER_OTLP_HEADERS", { read, warn }),
      ...readPairs("OTEL_EXPORTER_OTLP_TRACES_HEADERS", { read, warn }),
    },
    timeoutMs: number("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", number("OTEL_EXPORTER_OTLP_TIMEOUT", 10_000)),
    sampler: readSampler({ read, warn }),
    resource: readResource({ read, warn }),
    queueMax: number("OTEL_BSP_MAX_QUEUE_SIZE", 2048),
    batchMax: number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512),
    delayMs: number("OTEL_BSP_SCHEDULE_DELAY", 5000),
  };
}

interface Reading {
  readonly read: (name: string) => string | undefined;
  readonly warn: Warn;
}

function isEnabled(read: Reading["read"], warn: Warn): boolean {
  const exporters = read("OTEL_TRACES_EXPORTER")
    ?.split(",")
    .map((name) => name.trim());
  if (exporters?.includes("none") === true) return false;
  if (exporters !== undefined && !exporters.includes("otlp")) {
    warn("OTEL_TRACES_EXPORTER names no supported exporter (otlp, none); traces are off.");
    return false;
  }
  const hasEndpoint =
    read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") !== undefined ||
    read("OTEL_EXPORTER_OTLP_ENDPOINT") !== undefined;
  if (!hasEndpoint && exporters === undefined) return false;
  const protocol = read("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ?? read("OTEL_EXPORTER_OTLP_PROTOCOL");
  if (protocol !== "grpc") return true;
  warn("OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which is not supported; traces are off. Use http/json.");
  return false;
}

function endpoint(read: Reading["read"]): string {
  const own = read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  if (own !== undefined) return own;
  return `${(read("OTEL_EXPORTER_OTLP_ENDPOINT") ?? defaultEndpoint).replace(/\/+$/, "")}/v1/traces`;
}

function readSampler({ read, warn }: Reading): SamplerSettings {
  const name = read("OTEL_TRACES_SAMPLER") ?? "parentbased_always_on";
  const [, parentBased, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  if (kind === undefined) warn("OTEL_TRACES_SAMPLER names an unknown sampler; all traces are recorded.");
  const given = Number(read("OTEL_TRACES_SAMPLER_ARG") ?? 1);
  const isRatio = given >= 0 && given <= 1;
  if (!isRatio) warn("OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1; 1 is used.");
  return {
    kind: (kind ?? "always_on") as SamplerSettings["kind"],
    isParentBased: kind === undefined || parentBased !== undefined,
    ratio: isRatio ? given : 1,
  };
}

function readResource(reading: Reading): Record<string, string> {
  const named = reading.read("OTEL_SERVICE_NAME");
  return {
    "service.name": defaultServiceName,
    ...readPairs("OTEL_RESOURCE_ATTRIBUTES", reading),
    ...(named === undefined ? {} : { "service.name": named }),
  };
}

/** `a=1,b=2` with percent-encoded values. */
function readPairs(name: string, { read, warn }: Reading): Record<string, string> {
  try {
    const pairs = (read(name) ?? "").split(",").filter((pair) => pair.trim() !== "");
    return Object.fromEntries(pairs.map(readPair));
  } catch {
    warn(`${name} is not a list such as a=1,b=2; it is ignored.`);
    return {};
  }
}

function readPair(pair: string): [string, string] {
  const [key = "", ...value] = pair.split("=");
  if (!/^[\w.!#$%&'*+^`|~-]+$/.test(key.trim()) || value.length === 0) throw new Error("Not a pair.");
  return [key.trim(), decodeURIComponent(value.join("=").trim())];
}

function readNumber({ read, warn }: Reading, name: string, fallback: number): number {
  const text = read(name);
  if (text === undefined) return fallback;
  const given = Number(text);
  if (Number.isInteger(given) && given > 0) return given;
  warn(`${name} is not a positive integer; ${fallback} is used.`);
  return fallback;
}
