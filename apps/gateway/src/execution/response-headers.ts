import type { Arrival } from "./request-context.js";

/** Notes the headers of a handler's result, of the limits and of the upstream. */
export function noteResponseHeaders(
  arrival: Pick<Arrival, "headers" | "exposesUpstream" | "summary">,
  given: Readonly<Record<string, string>> | undefined,
): void {
  const { headers, summary } = arrival;
  if (given !== undefined) noteHeaders(headers, given);
  if (summary.meter !== undefined) noteHeaders(headers, summary.meter.headers());
  exposeUpstream(arrival);
  exposeQueuePlace(arrival);
  exposeEnd(arrival);
}

/** Notes a header in the list of an arrival, replacing one with the same name. The name is in lower case. */
export function noteHeader(noted: string[], name: string, value: string): void {
  for (let at = 0; at < noted.length; at += 2) {
    if (noted[at] !== name) continue;
    noted[at + 1] = value;
    return;
  }
  noted.push(name, value);
}

export function noteHeaders(noted: string[], headers: Readonly<Record<string, string>>): void {
  for (const name in headers) noteHeader(noted, name, headers[name] ?? "");
}

/** Adds a bulk request's place in the queue. */
export function exposeQueuePlace({ headers, summary: { bulk } }: Pick<Arrival, "headers" | "summary">): void {
  if (bulk !== undefined) noteHeader(headers, "x-gateway-queue-place", String(bulk.place));
}

/** Announces the end of the requested model. A path that is deprecated itself keeps its own header. */
function exposeEnd({ headers, summary: { end } }: Pick<Arrival, "headers" | "summary">): void {
  if (end === undefined || Date.now() < end.noticeFromMs) return;
  if (!headers.includes("deprecation")) headers.push("deprecation", end.headers.deprecation);
  headers.push("sunset", end.headers.sunset);
}

/** Adds the upstream and the number of attempts, unless the operator has turned that off. */
export function exposeUpstream({
  headers,
  exposesUpstream,
  summary: { upstream, attempts },
}: Pick<Arrival, "headers" | "exposesUpstream" | "summary">): void {
  if (!exposesUpstream || upstream === undefined) return;
  noteHeader(headers, "x-gateway-upstream", encodeURIComponent(upstream));
  if (attempts !== undefined) noteHeader(headers, "x-gateway-attempts", String(attempts));
}
