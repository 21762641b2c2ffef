import type { OtelEnvironment } from "./environment.js";

type Signal = "traces" | "metrics";

/** The endpoint and encoding of an exported signal. */
export interface OtlpSettings {
  /** Of the collector. */
  readonly url: string;
  readonly protocol: Protocol;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: "gzip" | "none";
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
}

const protocols = ["http/protobuf", "http/json"] as const;
const compressions = ["none", "gzip"] as const;

export type Protocol = (typeof protocols)[number];

const defaultEndpoint = "http://localhost:4318";
const defaultServiceName = "model-gateway";

/** Undefined if the signal is off, which is the default without an endpoint. */
export function readOtlpSettings(signal: Signal, environment: OtelEnvironment): OtlpSettings | undefined {
  if (environment.text("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;
  if (!isEnabled(signal, environment)) return undefined;
  const url = endpoint(signal, environment);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    environment.warn(`OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL; ${signal} are off.`);
    return undefined;
  }
  const { ofAll, ofSignal } = variables(signal);
  return {
    url,
    protocol: choose("PROTOCOL", protocols, { signal, environment }),
    headers: { ...environment.pairs(ofAll("HEADERS")), ...environment.pairs(ofSignal("HEADERS")) },
    compression: choose("COMPRESSION", compressions, { signal, environment }),
    timeoutMs: environment.number(ofSignal("TIMEOUT"), environment.number(ofAll("TIMEOUT"), 10_000)),
    resource: readResource(environment),
  };
}

/** A variable's names: the one for all signals, and the signal's own, which takes precedence. */
function variables(signal: Signal) {
  return {
    ofAll: (name: string) => `OTEL_EXPORTER_OTLP_${name}`,
    ofSignal: (name: string) => `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`,
  };
}

function isEnabled(signal: Signal, environment: OtelEnvironment): boolean {
  const { ofAll, ofSignal } = variables(signal);
  const variable = `OTEL_${signal.toUpperCase()}_EXPORTER`;
  const exporters = environment.list(variable);
  if (exporters?.includes("none") === true) return false;
  if (exporters !== undefined && !exporters.includes("otlp")) {
    environment.warn(`${variable} names no supported exporter (otlp, none); ${signal} are not exported.`);
    return false;
  }
  const hasEndpoint = [ofSignal("ENDPOINT"), ofAll("ENDPOINT")].some(
    (name) => environment.text(name) !== undefined,
  );
  if (!hasEndpoint && exporters === undefined) return false;
  const protocol = environment.text(ofSignal("PROTOCOL")) ?? environment.text(ofAll("PROTOCOL"));
  // Its collector listens on another port, so another protocol would not help.
  if (protocol !== "grpc") return true;
  environment.warn(
    `OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which is not supported; ${signal} are off. Use http/protobuf.`,
  );
  return false;
}

function endpoint(signal: Signal, environment: OtelEnvironment): string {
  const { ofAll, ofSignal } = variables(signal);
  const own = environment.text(ofSignal("ENDPOINT"));
  if (own !== undefined) return own;
  const base = environment.text(ofAll("ENDPOINT")) ?? defaultEndpoint;
  return `${base.replace(/\/+$/, "")}/v1/${signal}`;
}

/** The first of the allowed values is the default. */
function choose<T extends string>(
  name: string,
  allowed: readonly [T, ...T[]],
  { signal, environment }: { readonly signal: Signal; readonly environment: OtelEnvironment },
): T {
  const { ofAll, ofSignal } = variables(signal);
  const variable = environment.text(ofSignal(name)) === undefined ? ofAll(name) : ofSignal(name);
  const given = environment.text(variable);
  const chosen = allowed.find((one) => one === given);
  if (given !== undefined && chosen === undefined)
    environment.warn(`${variable} is not one of ${allowed.join(", ")}; ${allowed[0]} is used.`);
  return chosen ?? allowed[0];
}

function readResource(environment: OtelEnvironment): Record<string, string> {
  const named = environment.text("OTEL_SERVICE_NAME");
  return {
    "service.name": defaultServiceName,
    ...environment.pairs("OTEL_RESOURCE_ATTRIBUTES"),
    ...(named === undefined ? {} : { "service.name": named }),
  };
}
