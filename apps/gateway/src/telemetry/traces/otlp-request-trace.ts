import { GatewayError } from "@model-gateway/domain/errors";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { Upstream } from "@model-gateway/domain/model";
import { traitsOf } from "@model-gateway/domain/operations";
import type {
  AttemptTrace,
  FinishedTrace,
  RequestTrace,
  TracedAttempt,
  TracedRequest,
} from "@model-gateway/domain/trace";
import {
  type Tracer as ApiTracer,
  type Attributes,
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { outcomeOf } from "../metrics/tallies.js";
import { readTraceparent, writeTraceparent } from "./trace-context.js";

const pathLengthMax = 256;

/**
 * A span for a request, and a child span for each upstream attempt. Attributes follow the semantic conventions for HTTP
 * and generative AI. Error messages are left out: they may quote a caller's text.
 * https://opentelemetry.io/docs/specs/semconv/
 */
export class OtlpRequestTrace implements RequestTrace {
  readonly #tracer: ApiTracer;
  readonly #span: Span;
  readonly #context: Context;
  readonly #genAiOperation: string | undefined;
  readonly #genAiOutput: string | undefined;
  readonly #secrets: Pick<HideSecrets, "hide">;

  constructor(tracer: ApiTracer, request: TracedRequest, secrets: Pick<HideSecrets, "hide">) {
    this.#tracer = tracer;
    this.#secrets = secrets;
    const traits = traitsOf(request.operation);
    this.#genAiOperation = traits?.genAiName;
    this.#genAiOutput = traits?.genAiOutput;
    const parent = parentOf(request);
    const attributes = {
      "http.request.method": request.method,
      "http.route": request.route,
      "url.path": this.#hidePath(request).slice(0, pathLengthMax),
      "url.scheme": "http",
      ...optional("gen_ai.operation.name", this.#genAiOperation),
    };
    this.#span = tracer.startSpan(request.operation, { kind: SpanKind.SERVER, attributes }, parent);
    this.#context = trace.setSpan(ROOT_CONTEXT, this.#span);
  }

  beginAttempt({ upstream, model, attempt }: TracedAttempt): AttemptTrace {
    const attributes = {
      "gateway.upstream": upstream.name,
      "gen_ai.provider.name": upstream.genAiProvider ?? upstream.provider,
      "gen_ai.request.model": model,
      ...optional("gen_ai.operation.name", this.#genAiOperation),
      ...optional("gen_ai.output.type", this.#genAiOutput),
      ...addressOf(upstream),
      ...(attempt > 1 ? { "http.request.resend_count": attempt - 1 } : {}),
    };
    const name = `${this.#genAiOperation ?? "call"} ${model}`;
    const span = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, this.#context);
    return {
      headers: headersOf(span.spanContext()),
      end: ({ failure }) => {
        if (failure !== undefined) recordFailure(span, failure);
        span.end();
      },
    };
  }

  end({ id, status, errorCode, model, inputTokens, outputTokens }: FinishedTrace): void {
    this.#span.setAttributes({
      "http.response.status_code": status,
      "gateway.request_id": id,
      ...optional("gen_ai.request.model", this.#hideModel(model, errorCode)),
      ...optional("error.type", errorCode ?? undefined),
      ...(inputTokens > 0 ? { "gen_ai.usage.input_tokens": inputTokens } : {}),
      ...(outputTokens > 0 ? { "gen_ai.usage.output_tokens": outputTokens } : {}),
    });
    // By the conventions, a caller's fault is not a server error.
    const outcome = outcomeOf(status, errorCode);
    if (outcome === "upstream" || outcome === "gateway") this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }

  /** A path without parameters has no text of a caller. */
  #hidePath({ path, route }: TracedRequest): string {
    return path === route ? path : this.#secrets.hide(path);
  }

  /** A model that has worked is one that the operator knows. */
  #hideModel(model: string | null, errorCode: string | null): string | undefined {
    return model !== null && errorCode !== null ? this.#secrets.hide(model) : (model ?? undefined);
  }
}

function parentOf({ traceparent, tracestate }: TracedRequest): Context {
  const parent = readTraceparent(traceparent);
  if (parent === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parent.traceId,
    spanId: parent.spanId,
    traceFlags: parent.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  });
}

function headersOf({ traceId, spanId, traceFlags, traceState }: SpanContext): Record<string, string> {
  const isSampled = (traceFlags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED;
  const tracestate = traceState?.serialize() ?? "";
  return {
    traceparent: writeTraceparent({ traceId, spanId, isSampled }),
    ...(tracestate === "" ? {} : { tracestate }),
  };
}

function addressOf({ baseUrl }: Upstream): Attributes {
  if (baseUrl === undefined) return {};
  const { hostname, port, protocol } = new URL(baseUrl);
  const defaultPort = protocol === "https:" ? 443 : 80;
  return {
    "http.request.method": "POST",
    "server.address": hostname,
    "server.port": port === "" ? defaultPort : Number(port),
  };
}

function recordFailure(span: Span, failure: unknown): void {
  const status = failure instanceof GatewayError ? failure.upstreamStatus : undefined;
  span.setAttributes({
    "error.type":
      failure instanceof GatewayError ? failure.code : failure instanceof Error ? failure.name : "_OTHER",
    ...(status === undefined ? {} : { "http.response.status_code": status }),
  });
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function optional(name: string, value: string | undefined): Attributes {
  return value === undefined ? {} : { [name]: value };
}
