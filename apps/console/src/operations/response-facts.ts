/** Facts about a response, from its headers. */
export interface ResponseFacts {
  readonly requestId: string | null;
  readonly ms: number;
  readonly upstream: string | null;
  readonly attempts: string | null;
  readonly cache: string | null;
}

export function readFacts(headers: Headers, ms: number): ResponseFacts {
  const upstream = headers.get("x-gateway-upstream");
  return {
    requestId: headers.get("x-request-id"),
    ms,
    upstream: upstream === null ? null : decodeURIComponent(upstream),
    attempts: headers.get("x-gateway-attempts"),
    cache: headers.get("x-gateway-cache"),
  };
}
