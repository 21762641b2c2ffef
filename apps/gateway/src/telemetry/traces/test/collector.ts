import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span in OTLP JSON, with the fields that tests read. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Path, headers and resource attributes of the last call. */
  readonly last: {
    path: string;
    headers: Readonly<Record<string, unknown>>;
    resource: Readonly<Record<string, unknown>>;
  };
  /** From now on, calls wait until `release`. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}

/** An OTLP collector over HTTP, on a free port. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const last: Collector["last"] = { path: "", headers: {}, resource: {} };
  let held: (() => void)[] | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (held !== undefined) await new Promise<void>((resolve) => held?.push(resolve));
    Object.assign(last, { path: request.url, headers: request.headers });
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as OtlpRequest;
    for (const { resource, scopeSpans } of resourceSpans) {
      last.resource = plain(resource.attributes);
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: plain(span.attributes) });
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    last,
    hold: () => {
      held = [];
    },
    release: () => {
      const waiting = held ?? [];
      held = undefined;
      for (const resume of waiting) resume();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, "attributes"> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** OTLP wraps each value in an object that names its type. */
function plain(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
