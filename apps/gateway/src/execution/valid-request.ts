import type { IncomingHttpHeaders } from "node:http";
import type { OperationId } from "@model-gateway/domain/operations";
import { isObject } from "@model-gateway/runtime/json";
import type { ReadBody, ValidRequest } from "./handler.js";
import { type Arrival, headerOf, type RequestContext } from "./request-context.js";
import type { RequestSummary } from "./request-summary.js";
import { knownParameters, separateExtras } from "./validation/extras.js";
import type { Operation } from "./validation/spec.js";
import type { Subject } from "./validation/validate.js";

/** The source of a request: Express, or the store of one that has no connection. */
export interface RequestSource {
  readonly headers: IncomingHttpHeaders;
  accepts(types: string[]): string | false;
}

type ToValid<K extends OperationId> = (
  source: RequestSource,
  checked: ReadBody & Pick<Subject, "params" | "query">,
  context: RequestContext,
) => ValidRequest<K>;

/** Turns the validated parts of an operation's requests into what its handler takes. */
export function createValidRequests(operation: Operation): ToValid<typeof operation.id> {
  const known = knownParameters(operation);
  return (source, { body, params, query, images, file, dataUrls }, context) => {
    const names = known.get(source.headers["content-type"] ?? "");
    const separated = names === undefined ? undefined : separateExtras(body as object, names);
    // The spec that the request was validated against is the source of these types.
    return {
      body: separated?.named ?? body,
      extras: separated?.extras,
      parameters: params,
      context,
      header: (name: string) => headerOf(source, name),
      query,
      accepts: (...types: string[]) => source.accepts(types) || undefined,
      images,
      file,
      dataUrls,
    } as ValidRequest<typeof operation.id>;
  };
}

/** The model that a request names. Nothing is validated yet. */
export function requestedModel({ body, params }: Pick<Subject, "body" | "params">): string | undefined {
  const model: unknown = params.model ?? (isObject(body) ? body.model : undefined);
  return typeof model === "string" ? model : undefined;
}

/** The summary, and what only requests without a connection have. */
export interface ContextParts extends Partial<Pick<RequestContext, "coalesce" | "onPartialImage">> {
  readonly summary: RequestSummary;
}

export function contextOf(
  arrival: Arrival,
  { summary, coalesce, onPartialImage }: ContextParts,
): RequestContext {
  const { caller } = summary;
  return {
    id: arrival.id,
    arrivedAt: arrival.arrivedAt,
    isHead: arrival.isHead,
    origin: arrival.origin,
    signal: arrival.signal,
    memory: arrival.memory,
    lifetime: arrival.lifetime,
    noteAttempt: arrival.noteAttempt,
    onActive: arrival.onActive,
    caller: caller?.id ?? "",
    key: caller?.key,
    session: caller?.session,
    operator: caller?.operator,
    meter: summary.meter,
    trace: summary.trace,
    requestBytes: summary.requestBytes,
    coalesce,
    onPartialImage,
    summary,
  };
}
