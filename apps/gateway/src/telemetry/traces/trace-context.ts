/** The position of a caller in its trace. https://www.w3.org/TR/trace-context/ */
interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const invalidVersion = "ff";
const firstVersion = "00";
const onlyZeros = /^0+$/;
const sampledFlag = 1;

/** Returns undefined for an invalid `traceparent`. Later versions are read as far as the first version defines them. */
export function readTraceparent(header: string | undefined): TraceContext | undefined {
  if (header === undefined) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", more] = pattern.exec(header) ?? [];
  if (version === "" || version === invalidVersion) return undefined;
  if (version === firstVersion && more !== undefined) return undefined;
  if (onlyZeros.test(traceId) || onlyZeros.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag };
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `${firstVersion}-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}
