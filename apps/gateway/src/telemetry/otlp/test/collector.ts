import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { decodeMessage } from "./protobuf.js";

/** A span, with the fields that tests read. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A metric of the last export. */
export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: "gauge" | "sum" | "histogram";
  readonly isMonotonic?: boolean;
  /** 2 is cumulative. */
  readonly temporality?: number;
  readonly points: readonly ReceivedPoint[];
}

export interface ReceivedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly startTime: number;
  readonly time: number;
  readonly value?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly bucketCounts?: readonly number[];
  readonly explicitBounds?: readonly number[];
}

export interface Collector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** By name, as they were in the last export. */
  readonly metrics: Map<string, ReceivedMetric>;
  /** Path, headers and resource attributes of the last call for each signal. */
  readonly last: Record<"traces" | "metrics", LastCall>;
  /** Number of exports of each signal. */
  readonly exports: Record<"traces" | "metrics", number>;
  /** From now on, calls wait until `release`. */
  hold(): void;
  release(): void;
  /** From now on, calls get this status. */
  respond(status: number): void;
  close(): Promise<void>;
}

interface LastCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** An OTLP collector over HTTP, on a free port. It takes protobuf and JSON. */
export async function startCollector(): Promise<Collector> {
  const none: LastCall = { path: "", headers: {}, resource: {} };
  const received = {
    spans: [] as ReceivedSpan[],
    metrics: new Map<string, ReceivedMetric>(),
    last: { traces: none, metrics: none },
    exports: { traces: 0, metrics: 0 },
  };
  let held: (() => void)[] | undefined;
  let status = 200;
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const body = await readBody(request);
    if (held !== undefined) await new Promise<void>((resolve) => held?.push(resolve));
    const type = String(request.headers["content-type"]);
    response.statusCode = status;
    if (status === 200) receive(request, parse(body, type, signalOf(request)), received);
    response.setHeader("content-type", type).end(type === "application/json" ? "{}" : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ...received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      held = [];
    },
    release: () => {
      const waiting = held ?? [];
      held = undefined;
      for (const resume of waiting) resume();
    },
    respond: (next) => {
      status = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
}

function signalOf({ url = "" }: IncomingMessage): "traces" | "metrics" {
  return url.endsWith("metrics") ? "metrics" : "traces";
}

function parse(body: Buffer, type: string, signal: "traces" | "metrics"): OtlpRequest {
  if (type === "application/json") return JSON.parse(body.toString());
  if (type !== "application/x-protobuf") throw new Error(`Unexpected content type: ${type}`);
  return decodeMessage(body, signal) as OtlpRequest;
}

function receive(
  request: IncomingMessage,
  { resourceSpans = [], resourceMetrics = [] }: OtlpRequest,
  { spans, metrics, last, exports }: Pick<Collector, "spans" | "metrics" | "last" | "exports">,
): void {
  const signal = signalOf(request);
  exports[signal] += 1;
  const [first] = [...resourceSpans, ...resourceMetrics];
  last[signal] = {
    path: request.url ?? "",
    headers: request.headers,
    resource: plain(first?.resource.attributes),
  };
  for (const span of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans))
    spans.push({ ...span, status: { code: 0, ...span.status }, attributes: plain(span.attributes) });
  if (resourceMetrics.length > 0) metrics.clear();
  for (const { scopeMetrics } of resourceMetrics)
    for (const metric of scopeMetrics.flatMap((scope) => scope.metrics))
      metrics.set(metric.name, toMetric(metric));
}

function toMetric({ name, unit = "", gauge, sum, histogram }: OtlpMetric): ReceivedMetric {
  const points = (gauge ?? sum ?? histogram)?.dataPoints ?? [];
  return {
    name,
    unit,
    kind: gauge !== undefined ? "gauge" : sum !== undefined ? "sum" : "histogram",
    ...(sum === undefined ? {} : { isMonotonic: sum.isMonotonic === true }),
    ...(gauge === undefined ? { temporality: (sum ?? histogram)?.aggregationTemporality ?? 0 } : {}),
    points: points.map((point) => ({
      attributes: plain(point.attributes),
      startTime: Number(point.startTimeUnixNano),
      time: Number(point.timeUnixNano),
      ...(histogram === undefined
        ? { value: Number(point.asDouble ?? point.asInt ?? 0) }
        : {
            count: Number(point.count ?? 0),
            sum: point.sum ?? 0,
            bucketCounts: (point.bucketCounts ?? []).map(Number),
            explicitBounds: point.explicitBounds ?? [],
          }),
    })),
  };
}

/** The common part of protobuf and JSON. Default values may be absent, and long integers may be text. */
interface OtlpRequest {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, "attributes"> & {
        readonly attributes?: readonly Attribute[];
      })[];
    }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly OtlpMetric[] }[];
  }[];
}

interface OtlpMetric {
  readonly name: string;
  readonly unit?: string;
  readonly gauge?: OtlpPoints;
  readonly sum?: OtlpPoints & { readonly isMonotonic?: boolean };
  readonly histogram?: OtlpPoints;
}

interface OtlpPoints {
  readonly aggregationTemporality?: number;
  readonly dataPoints?: readonly {
    readonly attributes?: readonly Attribute[];
    readonly startTimeUnixNano: number | string;
    readonly timeUnixNano: number | string;
    readonly asDouble?: number;
    readonly asInt?: number | string;
    readonly count?: number | string;
    readonly sum?: number;
    readonly bucketCounts?: readonly (number | string)[];
    readonly explicitBounds?: readonly number[];
  }[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** OTLP wraps each value in an object that names its type. */
function plain(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
